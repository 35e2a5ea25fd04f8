import { formatPhone } from '@qatra/contract/lib/phone'
import { stopImpersonation } from '@qatra/contract/users/impersonation'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { loadMessageGroups } from '../../lib/language/messages.ts'
import { changeSession } from './admin-exit.ts'

const nameOf = ({ name, phone }: { name: string | null; phone: string }) => name ?? formatPhone(phone)

/** Names the impersonated person and the actor, with a button to stop. */
export function ImpersonationBanner(): ReactNode {
  const t = useT()
  const lang = useLang()
  const user = useUser()
  const [hasMessages, setHasMessages] = useState(false)
  const [state, setState] = useState<'rests' | 'stops' | 'failed'>('rests')
  useEffect(() => {
    void loadMessageGroups(['impersonation']).then(() => setHasMessages(true))
  }, [lang])
  const by = user?.impersonatedBy
  if (!hasMessages || !user || !by) return null
  const stop = async () => {
    setState('stops')
    try {
      await changeSession(() => call(stopImpersonation, {}))
      // Clear the cache: it holds the other person's data. Return to where impersonation started.
      location.assign(`/admin/users?open=${user.id}`)
    } catch {
      setState('failed')
    }
  }
  return (
    <section aria-label={t('impersonation.label')} className="flex min-h-14 items-center gap-3 px-4 py-1.5 text-label">
      <div className="min-w-0 flex-1 md:flex md:flex-wrap md:gap-x-3">
        <p className="truncate">
          {t('impersonation.as')} <bdi className="font-strong">{nameOf(user)}</bdi>
        </p>
        <p className="truncate text-on-gulf-2">{t('impersonation.by', { name: nameOf(by) })}</p>
        <p role="alert" className="text-on-deep-aqua">
          {state === 'failed' ? t('impersonation.failed') : ''}
        </p>
      </div>
      <button
        type="button"
        aria-disabled={state === 'stops' || undefined}
        className="min-h-tap flex-none rounded-m bg-aqua px-4 font-strong text-on-aqua hover:bg-aqua-press focus-visible:outline-on-deep-aqua"
        onClick={state === 'stops' ? undefined : () => void stop()}
      >
        {t(state === 'stops' ? 'impersonation.stopping' : 'impersonation.stop')}
      </button>
    </section>
  )
}
