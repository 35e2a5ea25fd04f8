import { addDays, bahrainDate, startOfBahrainDay } from '../calendar/calendar.ts'
import { sinceMidnight } from '../lib/clock.ts'

/** The first instant after `at` at which the promised day of one of these vendors can change. */
export function nextPromiseChange(vendors: readonly { cutOff: string | null }[], at: Date): Date {
  const today = bahrainDate(at)
  const midnight = startOfBahrainDay(addDays(today, 1)).getTime()
  const pastCutOffs = vendors.flatMap(({ cutOff }) => {
    if (cutOff === null) return []
    // An order exactly at the cut-off is in time.
    const late = startOfBahrainDay(today).getTime() + sinceMidnight(cutOff) + 1
    return late > at.getTime() ? [late] : []
  })
  return new Date(Math.min(midnight, ...pastCutOffs))
}
