import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Page } from '../app/page.ts'
import { useT } from '../lib/language/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

export function NotFoundPage(): ReactNode {
  const t = useT()
  return (
    <main id="main" className="wrap py-10">
      <EmptyState as="h1" title={t('shell.title.notFound')} text={t('shell.notFound.hint')}>
        <Link to="/" className={buttonClass('aqua')}>
          {t('shell.notFound.home')}
        </Link>
      </EmptyState>
    </main>
  )
}

export const page: Page = {
  Component: NotFoundPage,
  head: ({ t }) => ({ title: t('shell.title.notFound'), hidden: true }),
  status: 404,
}
