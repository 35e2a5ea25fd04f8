import { adminPageAt } from '@qatra/contract/admin'
import { IMPERSONATED_PAGES } from '@qatra/contract/users/impersonation'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PendingSignOutText } from '../app/session/PendingSignOut.tsx'
import { CallError } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { PageSkeleton } from '../ui/admin/skeletons.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { AgainIcon } from '../ui/icons.tsx'

const middle = 'grid min-h-[70dvh] content-center justify-items-center p-6'

/** Shown while the chunk and the required data of a page load. */
export function AdminPending(): ReactNode {
  const t = useT()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const page = adminPageAt(path)
  return <PageSkeleton layout={page?.skeleton} title={page?.nav && t(page.label)} />
}

/** Shown for an unknown page and for a page without permission, so that they cannot be distinguished. */
export function AdminMissing(): ReactNode {
  const t = useT()
  return (
    <main id="main" className={middle}>
      <EmptyState as="h1" title={t('admin.missing')} text={t('admin.missing.hint')}>
        <Link to="/admin" className={buttonClass('gulf')}>
          {t('admin.missing.home')}
        </Link>
      </EmptyState>
    </main>
  )
}

/** Shown after an offline sign-out. */
export function AdminLeaving(): ReactNode {
  return (
    <main id="main" role="status" className={middle}>
      <PendingSignOutText className="max-w-110 text-center" />
    </main>
  )
}

/** Shown if the data of a page failed to load or rendering threw. */
export function AdminError({ error, reset }: ErrorComponentProps): ReactNode {
  const t = useT()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const retry = async () => {
    // Some browsers cache a failed chunk import, and a newer build has other chunks: reload the page.
    if (!(error instanceof CallError)) return location.reload()
    queries.reset()
    await router.invalidate()
    reset()
  }
  return (
    <main id="main" className={middle}>
      <h1 className="text-title">{t('admin.failed')}</h1>
      <p className="mt-1 mb-5 text-ink-2">
        {error instanceof CallError && error.code === 'IMPERSONATING_FURTHER'
          ? t('admin.firstPages', { count: IMPERSONATED_PAGES })
          : t('admin.failed.hint')}
      </p>
      <Button tone="gulf" icon={AgainIcon} onClick={() => void retry()}>
        {t('admin.retry')}
      </Button>
    </main>
  )
}
