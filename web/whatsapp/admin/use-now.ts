import { useEffect, useState } from 'react'

/** Time by the server's clock, updated every 30 seconds. */
export function useNow(serverNow: string | undefined): Date {
  /** How far the server's clock is ahead, by this answer of the server. */
  const [ahead, setAhead] = useState<{ by: string | undefined; ms: number }>({ by: undefined, ms: 0 })
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (serverNow) setAhead({ by: serverNow, ms: Date.parse(serverNow) - Date.now() })
  }, [serverNow])
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const least = serverNow ? Date.parse(serverNow) : 0
  return new Date(ahead.by === serverNow ? Math.max(now.getTime() + ahead.ms, least) : least)
}
