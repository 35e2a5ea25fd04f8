import {
  addDays,
  bahrainDate,
  type Days,
  FRIDAY,
  startOfBahrainDay,
  weekdayOf,
} from '@qatra/contract/calendar/calendar'
import { sinceMidnight } from '@qatra/contract/lib/clock'

const DAY_MS = 24 * 3_600_000
/** Long holidays. */
const MOST_DAYS = 30

/** HH:MM in Bahrain; closing at or before the opening time means after midnight. */
export interface OfficeHours {
  opensAt: string
  closesAt: string
}

export interface OfficeState {
  isOpen: boolean
  /** The next opening; null if it is open. */
  opens: Date | null
}

/** Whether the office answers at `at`. It is closed on Fridays and public holidays. */
export function officeStateAt({ opensAt, closesAt }: OfficeHours, holidays: Days, at: Date): OfficeState {
  const [opens, closes] = [sinceMidnight(opensAt), sinceMidnight(closesAt)]
  const length = closes > opens ? closes - opens : closes - opens + DAY_MS
  const yesterday = addDays(bahrainDate(at), -1)
  for (let n = 0; n < MOST_DAYS; n += 1) {
    const day = addDays(yesterday, n)
    if (weekdayOf(day) === FRIDAY || holidays.has(day)) continue
    const start = startOfBahrainDay(day).getTime() + opens
    if (at.getTime() < start) return { isOpen: false, opens: new Date(start) }
    if (at.getTime() < start + length) return { isOpen: true, opens: null }
  }
  return { isOpen: false, opens: null }
}

/** Opening and closing at one time is around the clock. */
export const isAroundTheClock = ({ opensAt, closesAt }: OfficeHours): boolean => opensAt === closesAt

const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** The hours entered in the settings; null if they are not complete. */
export function officeHoursIn(settings: ReadonlyMap<string, string>): OfficeHours | null {
  const [opensAt = '', closesAt = ''] = [settings.get('support.opensAt'), settings.get('support.closesAt')]
  return time.test(opensAt) && time.test(closesAt) ? { opensAt, closesAt } : null
}
