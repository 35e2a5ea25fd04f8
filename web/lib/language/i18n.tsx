import type { I18n } from '@lingui/core'
import { dirOf, type Lang } from '@qatra/contract/lib/lang'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { MessageKey } from './message-key.ts'
import { loadUsedMessages } from './messages.ts'

export { loadMessages } from './messages.ts'
export type { MessageKey }
export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

type ValueForm = (value: string, locale: string) => string
let formOf: ValueForm | null = null

/** How texts are written into sentences. The admin area sets it; the shop's first load does without. */
export function setValueForm(form: ValueForm) {
  formOf = form
}

export const translateWith =
  (i18n: I18n): Translate =>
  (key, values) =>
    i18n._(key, values && formOf ? inForm(values, formOf, i18n.locale) : values)

const inForm = (values: Record<string, string | number>, form: ValueForm, locale: string) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? form(value, locale) : value]),
  )

interface Language {
  lang: Lang
  t: Translate
  setLang(lang: Lang): Promise<void>
}

const LanguageContext = createContext<Language | null>(null)

/** Provides the page's language, initially that of the server's rendering, whose messages are loaded. */
export function LanguageProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const [current, setCurrent] = useState(i18n)
  const language = useMemo<Language>(
    () => ({
      lang: current.locale as Lang,
      t: translateWith(current),
      setLang: async (lang) => setCurrent(await loadUsedMessages(lang)),
    }),
    [current],
  )
  useEffect(() => {
    document.documentElement.lang = language.lang
    document.documentElement.dir = dirOf(language.lang)
  }, [language.lang])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext)
  if (!language) throw new Error('LanguageProvider is missing')
  return language
}

export const useT = (): Translate => useLanguage().t
export const useLang = (): Lang => useLanguage().lang
