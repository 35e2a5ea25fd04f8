import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const wanted = /^virtual:messages\/(shop|office)\.(ar|en)$/

/**
 * `virtual:messages/shop.ar`: every feature's words of one language, compiled from ICU text at build time, so that the
 * browser carries no message parser. Files whose name starts with `office` make up the other bundle.
 */
export function messages(folder: string): Plugin {
  const filesOf = (bundle: string, lang: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(`.${lang}.json`) && name.startsWith('office') === (bundle === 'office'))
      .sort()
      .map((name) => resolve(folder, name))

  return {
    name: 'qatra:messages',
    resolveId: (id) => (wanted.test(id) ? `\0${id}` : undefined),
    load(id) {
      const [, bundle, lang] = wanted.exec(id.slice(1)) ?? []
      if (!id.startsWith('\0') || !bundle || !lang) return
      const compiled: Record<string, unknown> = {}
      for (const file of filesOf(bundle, lang)) {
        this.addWatchFile(file)
        const words: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
        for (const [key, text] of Object.entries(words)) {
          if (key in compiled) this.error(`${file}: the key ${key} stands in another file already`)
          try {
            compiled[key] = compileMessage(text)
          } catch (cause) {
            this.error(`${file}: ${key} is no ICU message: ${String(cause)}`)
          }
        }
      }
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`
    },
  }
}
