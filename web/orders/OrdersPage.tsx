import { useT } from '../app/i18n.tsx'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session.ts'

function OrdersPage() {
  const t = useT()
  return (
    <main id="main" className="wrap py-6">
      <h1 className="text-title">{t('shell.title.orders')}</h1>
    </main>
  )
}

export const page: Page = {
  Component: OrdersPage,
  load: requireUser,
  head: ({ t }) => ({ title: t('shell.title.orders'), hidden: true }),
}
