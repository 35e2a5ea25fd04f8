import { type I18n, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Lang } from '@qatra/contract/lang'
import { messageCatalogs } from './message-catalogs.ts'

export type Translator = (key: string, values?: Record<string, string | number>) => string

const compiled = new Map<Lang, I18n>()

/** Translates server texts into one language; a missing key is shown as itself. */
export function translatorFor(lang: Lang): Translator {
  const known = compiled.get(lang)
  if (known) return (key, values) => known._(key, values)
  const entries = messageCatalogs.flatMap((catalogue) => Object.entries<string>(catalogue[lang]))
  const messages = Object.fromEntries(entries.map(([key, text]) => [key, compileMessage(text)]))
  const words = setupI18n({ locale: lang, messages: { [lang]: messages }, missing: (_, key) => key })
  compiled.set(lang, words)
  return (key, values) => words._(key, values)
}
