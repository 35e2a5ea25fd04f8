import { DirectionProvider } from '@base-ui/react/direction-provider'
import { mayOpen } from '@qatra/contract/admin'
import { dirOf } from '@qatra/contract/lib/lang'
import { getMe } from '@qatra/contract/users/auth'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { AdminChecking } from '../app/layout/AdminChecking.tsx'
import { useHead } from '../app/layout/head.ts'
import { useRouteChanges } from '../app/routes/use-route-changes.ts'
import { Impersonated } from '../app/session/Impersonated.tsx'
import { useOtherTabs } from '../app/session/session.ts'
import { usePendingSignOut } from '../app/session/use-pending-sign-out.ts'
import { Invited } from '../invitations/Invited.tsx'
import { CallError, call } from '../lib/api-client.ts'
import { noteConnection, useConnection } from '../lib/connection.ts'
import { useUser } from '../lib/current-user.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { useWarnBeforeLeaving } from '../lib/warn-before-leaving.ts'
import { Notifications } from '../notifications/admin/Notifications.tsx'
import { BackToSetup, useLeftStep } from '../setup/admin/BackToSetup.tsx'
import { classes } from '../ui/class-names.ts'
import { useKeptFocus } from '../ui/focus-keeper.ts'
import { WarningIcon } from '../ui/icons.tsx'
import { Toasts } from '../ui/Toast.tsx'
import { AdminLeaving, AdminMissing } from './AdminStates.tsx'
import { BottomBar } from './BottomBar.tsx'
import { PaletteOpener } from './PaletteOpener.tsx'
import { Rail } from './Rail.tsx'
import { Shortcuts } from './Shortcuts.tsx'

const ASK_AGAIN_MS = 5_000

/** At the foot of every office page while there is no connection. The driver's run has its own notice. */
function OfflineBar() {
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

/** Frame of every page of the admin area; checks the permission again when the user is refetched. */
export function AdminLayout(): ReactNode {
  const { t, lang } = useLanguage()
  const user = useUser()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useHead()
  useOtherTabs()
  useRouteChanges()
  useKeptFocus()
  const leftStep = useLeftStep()
  const step = mayOpen('/admin/setup', user) ? leftStep : null
  const isLeaving = usePendingSignOut(() => location.assign('/'))
  if (isLeaving) return <AdminLeaving />
  if (!user) return <AdminChecking />
  return (
    <DirectionProvider direction={dirOf(lang)}>
      <div className="admin">
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:absolute focus:start-2 focus:top-2 focus:z-50 focus:rounded-m focus:bg-surface focus:px-4 focus:py-2 focus:shadow-float"
        >
          {t('shell.skip')}
        </a>
        <Impersonated />
        <Invited />
        <div className="admin-frame md:grid md:grid-cols-[64px_minmax(0,1fr)] rail-words:grid-cols-[208px_minmax(0,1fr)]">
          <Rail />
          <div className={classes('admin-page min-w-0 pb-15 md:pb-0', step && '[--top-bar:2.75rem]')}>
            {step && <BackToSetup step={step} />}
            {mayOpen(path, user) ? <Outlet /> : <AdminMissing />}
            <OfflineBar />
          </div>
        </div>
        <BottomBar />
        <Shortcuts />
        <PaletteOpener />
        <Notifications />
        <Toasts />
      </div>
    </DirectionProvider>
  )
}
