import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CallError } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Button } from '../../ui/Button.tsx'
import { AgainIcon } from '../../ui/icons.tsx'

/** Shown if a page's data failed to load or rendering threw. */
export function ErrorPage({ error, reset }: ErrorComponentProps): ReactNode {
  const t = useT()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const isCall = error instanceof CallError
  const isOffline = isCall ? error.code === 'OFFLINE' : !navigator.onLine
  const retry = async () => {
    // Some browsers cache a failed chunk import, and a newer build has other chunks: reload the page.
    if (!isCall) return location.reload()
    queries.reset()
    await router.invalidate()
    reset()
  }
  return (
    <main id="main" className="wrap grid min-h-dvh content-start justify-items-center py-16 text-center">
      <h1 className="text-title">{t(isOffline ? 'shell.error.offlineTitle' : 'shell.error.title')}</h1>
      <p className="mt-1 mb-5 text-ink-2">{t(isOffline ? 'shell.error.offline' : 'shell.error.hint')}</p>
      <Button tone="aqua" icon={AgainIcon} onClick={() => void retry()}>
        {t('shell.error.retry')}
      </Button>
    </main>
  )
}
