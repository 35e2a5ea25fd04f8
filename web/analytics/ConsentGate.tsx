import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/Toast.tsx'
import { type Consent, chooseConsent, isAskingConsent, onConsent, readConsent } from './consent.ts'
import type { AnalyticsIds } from './ids.ts'
import { isPrivatePath } from './paths.ts'
import type { RunningAnalytics } from './start.ts'

/** Asks for consent once, and loads the configured scripts only after it is given. */
export function ConsentGate({ ids }: { ids: AnalyticsIds }): ReactNode {
  // The server does not know the choice, so it renders no banner.
  const choice = useSyncExternalStore(onConsent, readConsent, () => 'unknown' as const)
  const isAsking = useSyncExternalStore(onConsent, isAskingConsent, () => false)
  useRunning(ids, choice === 'granted')
  return choice === null || isAsking ? <ConsentBanner /> : null
}

/** The adapters are a separate chunk; they start when the page is idle. */
function useRunning(ids: AnalyticsIds, isGranted: boolean) {
  const [running, setRunning] = useState<RunningAnalytics | null>(null)
  const phone = useUser()?.phone ?? null
  // Third-party scripts read the address themselves: none is loaded while it contains the secret of a sign-in link.
  const mayStart = useRouterState({ select: ({ location }) => !isPrivatePath(location.pathname) })
  const shallRun = isGranted && (mayStart || running !== null)

  useEffect(() => {
    if (!shallRun) return
    let started: RunningAnalytics | null = null
    let isOver = false
    void import('./start.ts').then(({ startAnalytics }) => {
      if (isOver) return
      started = startAnalytics(ids)
      setRunning(started)
    })
    return () => {
      isOver = true
      started?.stop()
      setRunning(null)
    }
  }, [ids, shallRun])

  useEffect(() => {
    void running?.identify(phone)
  }, [running, phone])
}

/** Two buttons of equal weight; the page behind remains usable. */
function ConsentBanner() {
  const t = useT()
  const choose = (choice: Consent) => {
    chooseConsent(choice)
    toast({ title: t('consent.saved'), text: t(`consent.${choice}`) })
  }
  return (
    <section
      aria-labelledby="consent-title"
      className="no-print rise fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-40 mx-auto max-w-130 rounded-l bg-surface p-4 shadow-float inset-ring inset-ring-line md:p-5"
    >
      <h2 id="consent-title" className="text-body font-strong">
        {t('consent.title')}
      </h2>
      <p className="mt-0.5 text-label text-ink-2">
        {t('consent.text')}{' '}
        <Link to="/privacy" className="text-aqua-ink underline">
          {t('consent.more')}
        </Link>
      </p>
      <div className="mt-3 grid grid-cols-2 gap-2.5">
        <Button className="px-2" onClick={() => choose('refused')}>
          {t('consent.refuse')}
        </Button>
        <Button className="px-2" onClick={() => choose('granted')}>
          {t('consent.grant')}
        </Button>
      </div>
    </section>
  )
}
