import type { Lang } from '@qatra/contract/lib/lang'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { LanguageProvider, loadMessages } from '../lib/language/i18n.tsx'

/** For tests: renders in one language, with its messages and direction. */
export async function renderIn(lang: Lang, page: ReactNode) {
  document.documentElement.lang = lang
  document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr'
  const i18n = await loadMessages(lang)
  return render(page, { wrapper: ({ children }) => <LanguageProvider i18n={i18n}>{children}</LanguageProvider> })
}
