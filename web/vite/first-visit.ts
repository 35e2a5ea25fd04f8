import { brotliCompressSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/** Most bytes of JavaScript, as transferred, that a first visit to the home page may load. */
export const FIRST_VISIT_BYTES = 120 * 1024
/** The server sends smaller files as they are (server/http/pages/response-cache.ts). */
const WORTH_COMPRESSING = 860

const transferred = (code: string) => {
  const plain = Buffer.from(code)
  return plain.length < WORTH_COMPRESSING ? plain.length : brotliCompressSync(plain).length
}

interface FirstVisit {
  /** Module of the page, and the modules of its messages, one for each language; ends of their ids. */
  page: string
  messages: readonly string[]
  limit?: number
}

/** Fails the build if entry, page and messages, with all they import, exceed the limit in one of the languages. */
export function firstVisit({ page, messages, limit = FIRST_VISIT_BYTES }: FirstVisit): Plugin {
  return {
    name: 'qatra:first-visit',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const chunkOf = (end: string) =>
          chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end))) ??
          this.error(`The first visit loads ${end}, which is in no chunk`)
        const add = (chunk: Rolldown.OutputChunk, found: Set<Rolldown.OutputChunk>) => {
          if (found.has(chunk)) return
          found.add(chunk)
          for (const one of chunks) if (chunk.imports.includes(one.fileName)) add(one, found)
        }
        for (const words of messages) {
          const loaded = new Set<Rolldown.OutputChunk>()
          for (const one of [...chunks.filter(({ isEntry }) => isEntry), chunkOf(page), chunkOf(words)])
            add(one, loaded)
          const sizes = [...loaded].map(({ fileName, code }) => ({ fileName, bytes: transferred(code) }))
          const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
          if (total <= limit) continue
          const list = sizes.map(({ fileName, bytes }) => `${fileName}: ${bytes}`)
          this.error(`The first visit loads ${total} bytes of JavaScript, more than ${limit}:\n${list.join('\n')}`)
        }
      },
    },
  }
}

/** Vite's own helper for lazy chunks reads nonces and existing links too, and has 0.4 KB more, compressed. */
const preloadHelper = `
const styles = {}
const link = (rel, file, done) => document.head.append(Object.assign(document.createElement('link'), { rel, href: '/' + file, ...done }))
const styled = (file) => styles[file] ??= new Promise((onload, failed) => link('stylesheet', file, { onload, onerror() {
  styles[file] = null
  failed(new Error(file))
} }))
export const __vitePreload = async (load, files = []) => {
  await Promise.all(files.map((file) => file.endsWith('.css') ? styled(file) : link('modulepreload', file)))
  return load()
}`

/** Loads a lazy chunk's style sheets before it and its imports beside it. */
export function lightPreload(): Plugin {
  return {
    name: 'qatra:light-preload',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? { code: preloadHelper, moduleSideEffects: false } : null),
  }
}
