import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useUser } from '../lib/current-user.ts'
import { ConsentBanner } from './ConsentBanner.tsx'
import { isAskingConsent, onConsent, readConsent } from './consent.ts'
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
