import { DirectionProvider } from '@base-ui/react/direction-provider'
import { mayOpen } from '@qatra/contract/admin'
import { dirOf } from '@qatra/contract/lib/lang'
import { Outlet, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AdminChecking } from '../app/layout/AdminChecking.tsx'
import { useHead } from '../app/layout/head.ts'
import { useRouteChanges } from '../app/routes/use-route-changes.ts'
import { Impersonated } from '../app/session/Impersonated.tsx'
import { useOtherTabs } from '../app/session/session.ts'
import { usePendingSignOut } from '../app/session/use-pending-sign-out.ts'
import { Invited } from '../invitations/Invited.tsx'
import { useUser } from '../lib/current-user.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Notifications } from '../notifications/admin/Notifications.tsx'
import { BackToSetup, useLeftStep } from '../setup/admin/BackToSetup.tsx'
import { classes } from '../ui/class-names.ts'
import { useKeptFocus } from '../ui/focus-keeper.ts'
import { Toasts } from '../ui/Toast.tsx'
import { AdminLeaving, AdminMissing } from './AdminStates.tsx'
import { BottomBar } from './BottomBar.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { PaletteOpener } from './PaletteOpener.tsx'
import { Rail } from './Rail.tsx'
import { Shortcuts } from './Shortcuts.tsx'

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
