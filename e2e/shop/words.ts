import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Lang } from '@qatra/contract/lib/lang'
import type { MessageKey } from '@qatra/contract/message-key'
import { root } from '../settings.ts'

export type Words = (key: MessageKey, values?: Record<string, string | number>) => string

const folder = join(root, 'contract/messages')

/** Message catalogs by key. Throws on an unknown key. */
export function wordsIn(lang: Lang): Words {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(`.${lang}.json`))
    .flatMap((name) => Object.entries<string>(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  const messages = Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)]))
  const words = setupI18n({
    locale: lang,
    locales: lang === 'ar' ? 'ar-BH-u-nu-latn' : 'en-BH',
    messages: { [lang]: messages },
    missing: (_, key) => {
      throw new Error(`No words for ${key}`)
    },
  })
  return (key, values) => words._(key, values)
}
