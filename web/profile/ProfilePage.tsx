import { useT } from '../app/i18n.tsx'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session.ts'

function ProfilePage() {
  const t = useT()
  return (
    <main id="main" className="wrap py-6">
      <h1 className="text-title">{t('shell.title.profile')}</h1>
    </main>
  )
}

export const page: Page = {
  Component: ProfilePage,
  load: requireUser,
  head: ({ t }) => ({ title: t('shell.title.profile'), hidden: true }),
}
