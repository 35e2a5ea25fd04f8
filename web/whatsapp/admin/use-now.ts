import { useEffect, useReducer } from 'react'
import { serverNow } from '../../lib/server-clock.ts'

/** The server's time at each render, and at least every 30 seconds. */
export function useNow(): Date {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, 30_000)
    return () => clearInterval(timer)
  }, [])
  return new Date(serverNow())
}
