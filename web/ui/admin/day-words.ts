import { addDays, bahrainDate, bahrainTime, formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'

export const today = () => bahrainDate(new Date())
export const nowInWords = (lang: Lang) => formatDateTime(new Date(), lang)

export const isYesterday = (at: Date) => bahrainDate(at) === addDays(today(), -1)

/** The word for a day next to today. */
export function nearDay(day: string): 'yesterday' | 'today' | 'tomorrow' | null {
  if (day === today()) return 'today'
  if (day === addDays(today(), 1)) return 'tomorrow'
  return day === addDays(today(), -1) ? 'yesterday' : null
}

/** `21 November` */
export const dayOfYear = (day: string, lang: Lang) => formatDay(day, lang, 'medium').replace(/ \d{4}$/, '')

/** The time of today, the day and time of anything older. */
export function momentOf(instant: string, lang: Lang): string {
  const at = new Date(instant)
  const day = bahrainDate(at)
  return day === today() ? bahrainTime(at) : `${dayOfYear(day, lang)} ${bahrainTime(at)}`
}

/** Shorter, for a column: the time of today, or the day. */
export function placedIn(instant: string, lang: Lang): string {
  const at = new Date(instant)
  const day = bahrainDate(at)
  return day === today() ? bahrainTime(at) : dayOfYear(day, lang)
}
