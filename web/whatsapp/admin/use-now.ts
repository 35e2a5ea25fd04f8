import { useEffect, useState } from 'react'

/** Time by the server's clock, updated every 30 seconds. */
export function useNow(serverNow: string | undefined): Date {
  const [ahead, setAhead] = useState(0)
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (serverNow) setAhead(Date.parse(serverNow) - Date.now())
  }, [serverNow])
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return new Date(Math.max(now.getTime() + ahead, serverNow ? Date.parse(serverNow) : 0))
}
