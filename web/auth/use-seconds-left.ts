import { useEffect, useState } from 'react'

const left = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))

/** Whole seconds until a Unix time in ms, counted down. */
export function useSecondsLeft(until: number): number {
  const [seconds, setSeconds] = useState(() => left(until))
  useEffect(() => {
    setSeconds(left(until))
    const timer = setInterval(() => {
      setSeconds(left(until))
      if (left(until) === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

/** `0:42` */
export const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
