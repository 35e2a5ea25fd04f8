import { type I18n, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Lang } from '@qatra/contract/lang'
import { messageCatalogs } from './message-catalogs.ts'

export type Translator = (key: string, values?: Record<string, string | number>) => string

const compiled = new Map<Lang, I18n>()

/** The words of one language for messages, titles and refusals; a missing key shows itself. */
export function translatorFor(lang: Lang): Translator {
  const known = compiled.get(lang)
  if (known) return (key, values) => known._(key, values)
  const entries = messageCatalogs.flatMap((catalogue) => Object.entries<string>(catalogue[lang]))
  const messages = Object.fromEntries(entries.map(([key, text]) => [key, compileMessage(text)]))
  const words = setupI18n({ locale: lang, messages: { [lang]: messages }, missing: (_, key) => key })
  compiled.set(lang, words)
  return (key, values) => words._(key, values)
}
