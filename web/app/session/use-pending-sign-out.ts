import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { finishSignOut, isSignOutPending, onSignOutPending } from '../../lib/pending-sign-out.ts'

const RETRY_MS = 10_000

/** True while a sign-out waits for the connection. Retries, and calls `onDone` when the session has ended. */
export function usePendingSignOut(onDone: () => void): boolean {
  const isPending = useSyncExternalStore(onSignOutPending, isSignOutPending, () => false)
  const done = useEffectEvent(onDone)
  useEffect(() => {
    if (!isPending) return
    const attempt = () => void finishSignOut()
    const timer = setInterval(attempt, RETRY_MS)
    addEventListener('online', attempt)
    document.addEventListener('visibilitychange', attempt)
    return () => {
      clearInterval(timer)
      removeEventListener('online', attempt)
      document.removeEventListener('visibilitychange', attempt)
      if (!isSignOutPending()) done()
    }
  }, [isPending])
  return isPending
}
