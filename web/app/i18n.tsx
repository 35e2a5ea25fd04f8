import type { I18n } from '@lingui/core'
import type { Lang } from '@qatra/contract/lang'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { MessageKey } from './message-key.ts'
import { loadWordsInUse } from './words.ts'

export { loadWords } from './words.ts'
export type { MessageKey }
export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

export const directionOf = (lang: Lang) => (lang === 'ar' ? 'rtl' : 'ltr')

export const translateWith =
  (words: I18n): Translate =>
  (key, values) =>
    words._(key, values)

interface Language {
  lang: Lang
  t: Translate
  setLang(lang: Lang): Promise<void>
}

const LanguageContext = createContext<Language | null>(null)

/** Provides the page's language, initially that of the server's rendering, whose messages are loaded. */
export function LanguageProvider({ words, children }: { words: I18n; children: ReactNode }) {
  const [current, setCurrent] = useState(words)
  const language = useMemo<Language>(
    () => ({
      lang: current.locale as Lang,
      t: translateWith(current),
      setLang: async (lang) => setCurrent(await loadWordsInUse(lang)),
    }),
    [current],
  )
  useEffect(() => {
    document.documentElement.lang = language.lang
    document.documentElement.dir = directionOf(language.lang)
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
