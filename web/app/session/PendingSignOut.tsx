import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../lib/language/i18n.tsx'
import { renewCart } from './session.ts'
import { usePendingSignOut } from './use-pending-sign-out.ts'

/** Notice on every page while an offline sign-out waits for the connection. */
export function PendingSignOut() {
  const queries = useQueryClient()
  const isPending = usePendingSignOut(() => void renewCart(queries))
  return <div role="status">{isPending && <PendingSignOutText className="wrap bg-well py-3" />}</div>
}

export function PendingSignOutText({ className }: { className: string }) {
  const t = useT()
  return (
    <div className={className}>
      <p className="font-strong">{t('login.signOutPending')}</p>
      <p className="text-label text-ink-2">{t('login.signOutPendingHint')}</p>
    </div>
  )
}
