import { useT } from '../app/i18n.tsx'
import type { Page } from '../app/page.ts'

function FaqsPage() {
  const t = useT()
  return (
    <main id="main" className="wrap py-6">
      <h1 className="text-title">{t('shell.title.faqs')}</h1>
    </main>
  )
}

export const page: Page = {
  Component: FaqsPage,
  head: ({ t }) => ({ title: t('shell.title.faqs') }),
}
