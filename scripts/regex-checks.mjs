import { parseAst } from 'rolldown/parseAst'

// recheck's own program would be another process a literal; its JavaScript is enough for literals of this size.
process.env.RECHECK_BACKEND = 'pure'

/** Every regular expression literal of the product's code whose running time can explode, as lines. */
export async function slowPatterns(sources) {
  const { checkSync } = await import('recheck')
  const literals = new Map()
  for (const { path, text } of sources) {
    if (!/^(contract|server|web|demo)\/.*\.tsx?$/.test(path) || /\.test\.|^web\/vite/.test(path)) continue
    const tree = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
    collect(tree, (node) => {
      const { pattern, flags } = literalOf(node) ?? {}
      if (pattern !== undefined) literals.set(`/${pattern}/${flags}`, { pattern, flags, path })
    })
  }
  const findings = []
  for (const [literal, { pattern, flags, path }] of literals) {
    // A fixed seed makes the verdicts reproducible.
    const verdict = checkSync(pattern, flags, { timeout: 5000, randomSeed: 1 })
    if (verdict.status === 'vulnerable' && isSlow(pattern, flags, verdict)) {
      findings.push(`${path}: ${literal} is ${verdict.complexity.summary} on ${verdict.attack.pattern}`)
    }
  }
  return { findings, count: literals.size }
}

/**
 * The fuzzer counts steps of a model and reports bounded repetitions as polynomial. This runs its attack string (about
 * 50,000 characters) on the real engine; the limit is 50 ms.
 */
function isSlow(pattern, flags, { checker, complexity, attack }) {
  if (checker !== 'fuzz' || complexity.type !== 'polynomial') return true
  const begun = performance.now()
  attack.string.replace(new RegExp(pattern, flags), '')
  return performance.now() - begun > 50
}

function literalOf(node) {
  if (node.regex) return node.regex
  const [source, flags] = node.type === 'NewExpression' && node.callee.name === 'RegExp' ? node.arguments : []
  return typeof source?.value === 'string' ? { pattern: source.value, flags: flags?.value ?? '' } : null
}

function collect(node, visit) {
  if (Array.isArray(node)) for (const each of node) collect(each, visit)
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node)
    for (const value of Object.values(node)) collect(value, visit)
  }
}
