import { type ESTree, type Plugin, parseAst } from 'vite'
import { apiNames, type Floor, isNewer } from './floor-data.ts'

type Node = ESTree.Node

const globalObjects = new Set(['window', 'globalThis', 'self'])
const syntax = {
  fieldWithParentheses: 'javascript.classes.public_class_fields',
  staticBlock: 'javascript.classes.static.initialization_blocks',
  using: 'javascript.statements.using',
  lookbehind: 'javascript.regular_expressions.lookbehind_assertion',
  modifier: 'javascript.regular_expressions.modifier',
  unicodeSets: 'javascript.builtins.RegExp.unicodeSets',
}

/** Features that the floor lacks, by the names that scripts use. */
function lacking(floor: Floor) {
  const owners = new Set(apiNames.map(({ owner, name }) => owner ?? name).filter((name) => /^[A-Z]/.test(name)))
  const globals = new Map<string, string>()
  const exact = new Map<string, string | null>()
  const members = new Map<string, string | null>()
  for (const { key, owner, name, isStatic } of apiNames) {
    const newer = isNewer(key, floor) ? key : null
    if (owner === null) {
      if (newer) globals.set(name, key)
      continue
    }
    exact.set(`${owner}.${name}`, newer)
    // Members of a newer interface, and statics, are used through its name, which is reported itself.
    if (isStatic || isNewer(`api.${owner}`, floor) || isNewer(`javascript.builtins.${owner}`, floor)) continue
    // An older interface may have the same member name: only names that are new on every interface are reported, and of
    // these the language's, since those of the platform are mostly names of our own properties too.
    if (newer === null || (key.startsWith('javascript.') && !members.has(name))) members.set(name, newer)
  }
  return { owners, globals, exact, members }
}

function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null) {
  visit(node, parent)
  for (const value of Object.values(node) as unknown[]) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one && typeof one === 'object' && 'type' in one) walk(one as Node, visit, node)
  }
}

const isNameOnly = (node: Node, parent: Node | null) =>
  !!parent &&
  ((parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
    ('key' in parent && parent.key === node && !('computed' in parent && parent.computed) && !isShorthand(parent)))
const isShorthand = (node: Node) => node.type === 'Property' && node.shorthand

const ungrouped = new Set([
  'ArrayExpression',
  'CallExpression',
  'Identifier',
  'Literal',
  'MemberExpression',
  'NewExpression',
  'ObjectExpression',
  'PrivateIdentifier',
  'TemplateElement',
  'TemplateLiteral',
  'ThisExpression',
  'UnaryExpression',
])
/** Safari 15 loses variables of a class field whose initializer has parentheses: around operands or parameters. */
function mayHaveParentheses(value: Node) {
  let found = false
  walk(value, ({ type }) => {
    found ||= !ungrouped.has(type)
  })
  return found
}

/** The features newer than the floor that a script uses, as keys of browser-compat-data with their positions. */
export function newerThan(floor: Floor, code: string): Map<string, string> {
  const { owners, globals, exact, members } = lacking(floor)
  const found = new Map<string, string>()
  const add = (key: string | null | undefined, { start, end }: { start: number; end: number }) => {
    if (key && isNewer(key, floor) && !found.has(key)) found.set(key, code.slice(Math.max(0, start - 30), end + 30))
  }
  const pattern = (source: string, flags: string, node: { start: number; end: number }) => {
    if (/\(\?<[=!]/.test(source)) add(syntax.lookbehind, node)
    if (/\(\?[a-z]*-?[a-z]+:/.test(source)) add(syntax.modifier, node)
    if (flags.includes('v')) add(syntax.unicodeSets, node)
  }
  walk(parseAst(code), (node, parent) => {
    if (node.type === 'StaticBlock') add(syntax.staticBlock, node)
    else if (node.type === 'PropertyDefinition' && node.value && mayHaveParentheses(node.value))
      add(syntax.fieldWithParentheses, node)
    else if (node.type === 'VariableDeclaration' && node.kind.endsWith('using')) add(syntax.using, node)
    else if (node.type === 'Literal' && 'regex' in node) pattern(node.regex.pattern, node.regex.flags, node)
    else if (node.type === 'Identifier') {
      if (!isNameOnly(node, parent)) add(globals.get(node.name), node)
    } else if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier') {
      const { object, property } = node
      const owner = object.type === 'Identifier' ? object.name : ''
      if (globalObjects.has(owner)) add(globals.get(property.name), node)
      else add(owners.has(owner) ? exact.get(`${owner}.${property.name}`) : members.get(property.name), node)
    } else if ((node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee.type === 'Identifier') {
      const [source, flags] = node.arguments.map((one) => (one.type === 'Literal' ? String(one.value) : ''))
      if (node.callee.name === 'RegExp') pattern(source ?? '', flags ?? '', node)
    }
  })
  return found
}

/** `dvh` where the browser has it, `vh` where not. */
export const withViewportHeights = (css: string) =>
  css.replace(/(?<=[{;])[\w-]+:[^{};]*\ddvh[^{};]*/g, (one) => `${one.replaceAll('dvh', 'vh')};${one}`)

/** Adds a `vh` fallback to each `dvh`; no other step does. */
export function viewportHeights(): Plugin {
  return {
    name: 'qatra:viewport-heights',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const one of Object.values(bundle))
        if (one.type === 'asset' && one.fileName.endsWith('.css')) one.source = withViewportHeights(String(one.source))
    },
  }
}

/** Fails the build if a script uses a feature that a browser of the floor lacks and `allowed` does not list. */
export function floor(oldest: Floor, allowed: readonly string[] = []): Plugin {
  const allowedKeys = new Set(allowed)
  return {
    name: 'qatra:floor',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const used = new Set<string>()
        const findings = Object.values(bundle).flatMap((one) => {
          const newer = one.type === 'chunk' ? newerThan(oldest, one.code) : []
          return [...newer].flatMap(([key, place]) => {
            used.add(key)
            return allowedKeys.has(key) ? [] : [`${one.fileName}: ${key}: … ${place} …`]
          })
        })
        for (const key of allowedKeys) if (!used.has(key)) findings.push(`${key} is allowed, but nothing uses it`)
        if (findings.length > 0)
          this.error(`Newer than the oldest browsers ("allowed" in web/vite/floor-data.ts):\n${findings.join('\n')}`)
      },
    },
  }
}
