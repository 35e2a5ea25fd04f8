import { useT } from '../app/i18n.tsx'
import type { Page } from '../app/page.ts'

function MagicLinkPage() {
  const t = useT()
  return (
    <main id="main" className="wrap py-6">
      <h1 className="text-title">{t('shell.title.magicLink')}</h1>
    </main>
  )
}

export const page: Page = {
  Component: MagicLinkPage,
  head: ({ t }) => ({ title: t('shell.title.magicLink'), hidden: true }),
}
