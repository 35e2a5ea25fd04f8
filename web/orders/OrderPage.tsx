import { useT } from '../app/i18n.tsx'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session.ts'

function OrderPage() {
  const t = useT()
  return (
    <main id="main" className="wrap py-6">
      <h1 className="text-title">{t('shell.title.order')}</h1>
    </main>
  )
}

export const page: Page = {
  Component: OrderPage,
  load: requireUser,
  head: ({ t }) => ({ title: t('shell.title.order'), hidden: true }),
}
