import { Link } from '@tanstack/react-router'
import type { Page } from '../app/page.ts'
import { useT } from '../lib/language/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

function OrderNotFound() {
  const t = useT()
  return (
    <main id="main" className="wrap py-12">
      <EmptyState as="h1" title={t('order.notFound')} text={t('order.notFoundHint')}>
        <Link to="/" className={buttonClass('aqua')}>
          {t('order.home')}
        </Link>
      </EmptyState>
    </main>
  )
}

/** Of an order that does not exist or is another person's. */
export const missingOrder: Page['missing'] = { Component: OrderNotFound, title: (t) => t('order.notFound') }
