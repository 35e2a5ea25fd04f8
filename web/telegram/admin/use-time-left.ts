import { useEffect, useState } from 'react'

/** Seconds left by the server's clock: its last answer plus the time since. */
export function useSecondsLeft(until: string, now: string): number {
  const whole = Math.round((Date.parse(until) - Date.parse(now)) / 1_000)
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const begun = performance.now()
    setPassed(0)
    const timer = setInterval(() => setPassed(Math.floor((performance.now() - begun) / 1_000)), 1_000)
    return () => clearInterval(timer)
    // Each answer of the server restarts the count.
  }, [now, until])
  return Math.max(0, whole - passed)
}
