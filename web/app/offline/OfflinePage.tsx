import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { Page } from '../page.ts'

/**
 * The service worker serves it in place of any page of the shop without a network; start-offline.tsx then shows what was
 * saved, and this where nothing was.
 */
function OfflinePage(): ReactNode {
  const t = useT()
  return (
    <main id="main" data-offline="" className="wrap py-10">
      <EmptyState as="h1" title={t('offline.title')} text={t('offline.text')}>
        <div className="flex flex-wrap justify-center gap-2.5">
          <Link to="/" className={buttonClass('aqua')}>
            {t('offline.home')}
          </Link>
          <Link to="/orders" className={buttonClass('quiet')}>
            {t('offline.orders')}
          </Link>
        </div>
      </EmptyState>
    </main>
  )
}

export const page: Page = {
  Component: OfflinePage,
  head: ({ t }) => ({ title: t('offline.title'), hidden: true }),
}
