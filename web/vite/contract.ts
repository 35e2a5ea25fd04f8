import { readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Plugin, parseAst } from 'vite'

/** What only the server asks an endpoint for. */
const serverSide = new Set(['returns', 'params', 'query', 'summary', 'fails', 'status', 'allow'])

interface Edit {
  from: number
  to: number
  text: string
}

/** Endpoints whose body a form checks: `placeOrder.body` stands somewhere in the pages. */
function checkedIn(pages: string): Set<string> {
  const checked = new Set<string>()
  for (const file of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('node_modules')) continue
    for (const [, name] of readFileSync(resolve(pages, file), 'utf8').matchAll(/\b(\w+)\.body\b/g)) {
      if (name) checked.add(name)
    }
  }
  return checked
}

/**
 * Lets the browser pay for the shapes it uses and no others. In its build an endpoint keeps method, path and, where a form
 * checks it, body; and every other value at the top of a contract file goes if nobody uses it. The server's bundle and the
 * tests see the files as they are.
 */
export function lightContract(folder: string, pages: string): Plugin {
  let checked = new Set<string>()
  return {
    name: 'qatra:light-contract',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      checked = checkedIn(pages)
    },
    transform: {
      order: 'post',
      handler(code, id) {
        const file = relative(folder, id)
        if (file.startsWith('..') || !file.endsWith('.ts')) return
        const edits: Edit[] = []
        for (const node of parseAst(code).body) {
          const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { id: target, init } of declaration.declarations) {
            if (init?.type !== 'CallExpression') continue
            edits.push({ from: init.start, to: init.start, text: '/* @__PURE__ */ (() => ' })
            edits.push({ from: init.end, to: init.end, text: ')()' })
            const [shape] = init.arguments
            const isEndpoint = init.callee.type === 'Identifier' && init.callee.name === 'endpoint'
            if (!isEndpoint || shape?.type !== 'ObjectExpression') continue
            for (const property of shape.properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
              const { name } = property.key
              const isUnchecked = name === 'body' && target.type === 'Identifier' && !checked.has(target.name)
              if (serverSide.has(name) || isUnchecked) {
                edits.push({ from: property.value.start, to: property.value.end, text: 'undefined' })
              }
            }
          }
        }
        return { code: edited(code, edits), map: null }
      },
    },
  }
}

function edited(code: string, edits: Edit[]) {
  let result = ''
  let at = 0
  for (const { from, to, text } of edits.sort((a, b) => a.from - b.from)) {
    result += code.slice(at, from) + text
    at = to
  }
  return result + code.slice(at)
}
