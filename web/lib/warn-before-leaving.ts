import { useEffect } from 'react'

let silentUntil = Number.NEGATIVE_INFINITY

/** The browser asks before it leaves a page that a lost connection would not load again. */
export function useWarnBeforeLeaving(isWarning: boolean) {
  useEffect(() => {
    if (!isWarning) return
    const warn = (event: BeforeUnloadEvent) => {
      if (performance.now() >= silentUntil) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isWarning])
}

/**
 * The page is about to leave on an answer of the server, so the connection is back, which the warning may not know yet.
 * Listeners of `window` run in the order in which they were added (Chromium), so none can silence an earlier one.
 */
export function leaveWithoutWarning(withinMs: number) {
  silentUntil = performance.now() + withinMs
}
