import { stopImpersonation } from '@qatra/contract/impersonation'
import { formatPhone } from '@qatra/contract/phone'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from './call.ts'
import { useLang, useT } from './i18n.tsx'
import { useUser } from './session.ts'
import { needWords } from './words.ts'

const nameOf = ({ name, phone }: { name: string | null; phone: string }) => name ?? formatPhone(phone)

/** Whom one acts as, who one is, and the way back to being oneself. */
export function ImpersonationBanner(): ReactNode {
  const t = useT()
  const lang = useLang()
  const user = useUser()
  const [hasWords, setHasWords] = useState(false)
  const [state, setState] = useState<'rests' | 'stops' | 'failed'>('rests')
  useEffect(() => {
    void needWords(['impersonation']).then(() => setHasWords(true))
  }, [lang])
  const by = user?.impersonatedBy
  if (!hasWords || !user || !by) return null
  const stop = async () => {
    setState('stops')
    try {
      await call(stopImpersonation, {})
      // Everything on the page was the other person's.
      location.reload()
    } catch {
      setState('failed')
    }
  }
  return (
    <section
      aria-label={t('impersonation.label')}
      className="mx-auto flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-label"
    >
      <p className="min-w-0">
        {t('impersonation.as')} <bdi className="font-strong">{nameOf(user)}</bdi>
      </p>
      <p className="text-on-gulf-2">{t('impersonation.by', { name: nameOf(by) })}</p>
      <p role="alert" className="text-on-deep-aqua">
        {state === 'failed' ? t('impersonation.failed') : ''}
      </p>
      <button
        type="button"
        aria-disabled={state === 'stops' || undefined}
        className="ms-auto min-h-tap rounded-m bg-aqua px-4 font-strong text-on-aqua hover:bg-aqua-press focus-visible:outline-on-deep-aqua"
        onClick={state === 'stops' ? undefined : () => void stop()}
      >
        {t(state === 'stops' ? 'impersonation.stopping' : 'impersonation.stop')}
      </button>
    </section>
  )
}
