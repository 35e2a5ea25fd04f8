import { addDays, bahrainDate, bahrainTime, startOfBahrainDay } from '@qatra/contract/calendar/calendar'

/** HH:MM in Bahrain; no marketing between the two. */
export interface QuietHours {
  from: string
  to: string
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** End of the current quiet hours; null outside of them. */
export function quietUntil(hours: QuietHours | null, now: Date): Date | null {
  if (hours === null || hours.from === hours.to) return null
  const { from, to } = hours
  const time = bahrainTime(now)
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to
  if (!isQuiet) return null
  const today = bahrainDate(now)
  const day = time < to ? today : addDays(today, 1)
  return new Date(startOfBahrainDay(day).getTime() + minutes(to) * 60_000)
}
