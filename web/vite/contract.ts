import { relative } from 'node:path'
import { type Plugin, parseAst } from 'vite'

/** What only the server asks an endpoint for. */
const serverSide = new Set(['returns', 'params', 'query', 'summary', 'fails', 'status', 'allow'])
/** Features without a form: nothing in the browser checks the bodies it sends them. */
const formless = /^(cart|analytics|links)\.ts$/

interface Edit {
  from: number
  to: number
  text: string
}

/**
 * Lets the browser pay for the shapes it uses and no others. In its build an endpoint keeps method, path and, where a form
 * may check it, body; and every other value at the top of a contract file goes if nobody uses it. The server's bundle and
 * the tests see the files as they are.
 */
export function lightContract(folder: string): Plugin {
  return {
    name: 'qatra:light-contract',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      order: 'post',
      handler(code, id) {
        const file = relative(folder, id)
        if (file.startsWith('..') || !file.endsWith('.ts')) return
        const edits: Edit[] = []
        for (const node of parseAst(code).body) {
          const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { init } of declaration.declarations) {
            if (init?.type !== 'CallExpression') continue
            edits.push({ from: init.start, to: init.start, text: '/* @__PURE__ */ (() => ' })
            edits.push({ from: init.end, to: init.end, text: ')()' })
            const [shape] = init.arguments
            const isEndpoint = init.callee.type === 'Identifier' && init.callee.name === 'endpoint'
            if (!isEndpoint || shape?.type !== 'ObjectExpression') continue
            for (const property of shape.properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
              const { name } = property.key
              if (serverSide.has(name) || (name === 'body' && formless.test(file))) {
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
