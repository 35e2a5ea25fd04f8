import type { I18n } from '@lingui/core'
import { dirOf, type Lang } from '@qatra/contract/lib/lang'
import { hasArabicLetters, isolated } from '@qatra/contract/lib/text'
import type { MessageKey } from '@qatra/contract/message-key'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { loadUsedMessages } from './messages.ts'

export { loadMessages } from './messages.ts'
export type { MessageKey }
export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

/** @param isolatesArabic in English sentences: an Arabic name takes numbers and signs next to it into its own direction */
export const translateWith =
  (i18n: I18n, isolatesArabic = false): Translate =>
  (key, values) =>
    i18n._(key, values && isolatesArabic && i18n.locale === 'en' ? withIsolates(values) : values)

const withIsolates = (values: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && hasArabicLetters(value) ? isolated(value) : value,
    ]),
  )

interface Language {
  lang: Lang
  t: Translate
  setLang(lang: Lang): Promise<void>
}

const LanguageContext = createContext<Language | null>(null)

interface LanguageProviderProps {
  i18n: I18n
  /** As for `translateWith`. */
  isolatesArabic?: boolean
  children: ReactNode
}

/** Provides the page's language, initially that of the server's rendering, whose messages are loaded. */
export function LanguageProvider({ i18n, isolatesArabic = false, children }: LanguageProviderProps) {
  const [current, setCurrent] = useState(i18n)
  const language = useMemo<Language>(
    () => ({
      lang: current.locale as Lang,
      t: translateWith(current, isolatesArabic),
      setLang: async (lang) => setCurrent(await loadUsedMessages(lang)),
    }),
    [current, isolatesArabic],
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
