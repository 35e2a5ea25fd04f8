import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { useEffect, useState } from 'react'
import { serverNow } from '../lib/server-clock.ts'

const todayNow = () => bahrainDate(new Date(serverNow()))

/** Today in Bahrain by the server's clock, also on a page that is open across midnight. */
export function useToday(): string {
  const [today, setToday] = useState(todayNow)
  useEffect(() => {
    const timer = setInterval(() => setToday(todayNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return today
}
