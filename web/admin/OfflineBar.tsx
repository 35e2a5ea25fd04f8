import { getMe } from '@qatra/contract/users/auth'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { CallError, call } from '../lib/api-client.ts'
import { noteConnection, useConnection } from '../lib/connection.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useWarnBeforeLeaving } from '../lib/warn-before-leaving.ts'
import { WarningIcon } from '../ui/icons.tsx'

const ASK_AGAIN_MS = 5_000

/** At the foot of every office page while there is no connection. The driver's run has its own notice. */
export function OfflineBar() {
  const t = useT()
  const { isOnline, waiting } = useConnection()
  const isRun = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/run') })
  useEffect(() => {
    if (!navigator.onLine) noteConnection(false)
    const onOnline = () => noteConnection(true)
    const onOffline = () => noteConnection(false)
    addEventListener('online', onOnline)
    addEventListener('offline', onOffline)
    return () => {
      removeEventListener('online', onOnline)
      removeEventListener('offline', onOffline)
    }
  }, [])
  useEffect(() => {
    if (isOnline) return
    const ask = () =>
      call(getMe, {}).catch((error: unknown) => {
        if (!(error instanceof CallError)) throw error
      })
    const timer = setInterval(() => void ask(), ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isOnline])
  useWarnBeforeLeaving(!isOnline && waiting > 0)
  return (
    <div role="status" className="offline-bar no-print empty:hidden">
      {!isOnline && !isRun && (
        <p className="flex min-h-11 items-center gap-2.5 border-t border-line bg-clay-soft px-4 py-2 text-ink md:px-6">
          <WarningIcon size={18} aria-hidden="true" className="flex-none text-clay" />
          <span>
            <b className="font-strong">{t('admin.offline')}</b> {t('admin.offlineWaiting', { count: waiting })}
          </span>
        </p>
      )}
    </div>
  )
}
