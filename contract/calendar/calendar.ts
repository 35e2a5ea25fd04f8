import { sinceMidnight } from '../lib/clock.ts'
import type { Lang } from '../lib/lang.ts'

const hour = 3_600_000
const day = 24 * hour
/** Bahrain uses UTC+3 all year. */
const offset = 3 * hour
/** The weekday without delivery. */
export const FRIDAY = 5

/** Calendar date of an instant in Bahrain, YYYY-MM-DD. */
export const bahrainDate = (at: Date): string => shifted(at).toISOString().slice(0, 10)

/** Time of an instant in Bahrain, HH:MM. */
export const bahrainTime = (at: Date): string => shifted(at).toISOString().slice(11, 16)

/** The instant at which a day starts in Bahrain. */
export const startOfBahrainDay = (date: string): Date => new Date(midnight(date) - offset)

export const addDays = (date: string, n: number): string =>
  new Date(midnight(date) + n * day).toISOString().slice(0, 10)

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(midnight(date)).getUTCDay()

/** First and last date accepted in requests. Keeps date arithmetic within four-digit years. */
export const FIRST_DAY = '2000-01-01'
export const LAST_DAY = '2100-12-31'

/** Whether the text is a calendar date (YYYY-MM-DD) within the accepted range. */
export function isDay(text: string): boolean {
  try {
    return addDays(text, 0) === text && text >= FIRST_DAY && text <= LAST_DAY
  } catch {
    return false
  }
}

/** Whether the text is an instant on a Bahrain date within the accepted range. */
export function isInstant(text: string): boolean {
  const at = new Date(text)
  return at >= startOfBahrainDay(FIRST_DAY) && at < startOfBahrainDay(addDays(LAST_DAY, 1))
}

/** A set of days (YYYY-MM-DD), or a map by day. */
export type Days = Pick<ReadonlySet<string>, 'has'>

export interface Placement {
  at: Date
  /** Public holidays. */
  holidays: Days
  /** Closures of the vendor. */
  closures: Days
  /** HH:MM in Bahrain. An order after it counts from the next day. */
  cutOff: string | null
}

/** Delivery day of an order placed at `at`: the first day after it that is not a Friday, a holiday or a closure. */
export function promisedDate({ at, cutOff, ...closed }: Placement): string {
  const ordered = bahrainDate(at)
  const isLate = cutOff !== null && at.getTime() - startOfBahrainDay(ordered).getTime() > sinceMidnight(cutOff)
  return firstOpenDay(addDays(ordered, isLate ? 2 : 1), closed)
}

/** Number of open days from which a delivery day is chosen. */
const DELIVERY_DAYS = 14

/** The days that can be chosen at `at`, from the promised date on. */
export function deliveryDays(placement: Placement): string[] {
  const days = [promisedDate(placement)]
  while (days.length < DELIVERY_DAYS) days.push(firstOpenDay(addDays(days[days.length - 1] ?? '', 1), placement))
  return days
}

/** The given day or the first open day after it. */
export function firstOpenDay(from: string, { holidays, closures }: Pick<Placement, 'holidays' | 'closures'>): string {
  let date = from
  while (weekdayOf(date) === FRIDAY || holidays.has(date) || closures.has(date)) date = addDays(date, 1)
  return date
}

/**
 * Maximum difference in days: a vendor past its cut-off delivers one delivery day later, and a Friday can lie between.
 */
const MOST_APART = 2

/** One promise for several vendors: their common day, else the latest; null if the days are too far apart. */
export function commonPromise(days: readonly string[]): { day: string; isExact: boolean } | null {
  const sorted = [...days].sort()
  const [first, last] = [sorted[0], sorted[sorted.length - 1]]
  if (first === undefined || last === undefined || addDays(first, MOST_APART) < last) return null
  return { day: last, isExact: first === last }
}

/** Throws RangeError if the text is not a calendar date. */
function midnight(date: string) {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(date)) throw new RangeError('Not a date')
  return at
}

const shifted = (at: Date) => new Date(at.getTime() + offset)

// Hard-coded: names from Intl differ between servers and browsers, which would cause hydration mismatches.
const weekdays = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  ar: ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'],
} as const
const months = {
  en: 'January February March April May June July August September October November December'.split(' '),
  ar: 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' '),
} as const

/** long `Saturday 21 November` · medium `21 November 2026` · short `Sat 21 Nov` (Arabic has no short names). */
export function formatDay(date: string, lang: Lang, style: 'long' | 'medium' | 'short'): string {
  const weekday = formatWeekday(date, lang)
  const month = months[lang][Number(date.slice(5, 7)) - 1] ?? ''
  const number = Number(date.slice(8))
  if (style === 'medium') return `${number} ${month} ${Number(date.slice(0, 4))}`
  const isCut = style === 'short' && lang === 'en'
  return isCut ? `${weekday.slice(0, 3)} ${number} ${month.slice(0, 3)}` : `${weekday} ${number} ${month}`
}

export const formatWeekday = (date: string, lang: Lang): string => weekdays[lang][weekdayOf(date)] ?? ''

/** `10:42 AM` or `10:42 ص`, Bahrain time. */
export const formatTime = (at: Date, lang: Lang): string => formatClock(bahrainTime(at), lang)

/** `16:00` as `4:00 PM` or `4:00 م`. Accepts seconds, as PostgreSQL returns them. */
export function formatClock(time: string, lang: Lang): string {
  const hours = Number(time.slice(0, 2))
  const half = lang === 'ar' ? (hours < 12 ? 'ص' : 'م') : hours < 12 ? 'AM' : 'PM'
  return `${hours % 12 || 12}${time.slice(2, 5)} ${half}`
}

/** `21 November 2026, 10:42 AM` or `21 نوفمبر 2026، 10:42 ص` */
export const formatDateTime = (at: Date, lang: Lang): string =>
  `${formatDay(bahrainDate(at), lang, 'medium')}${lang === 'ar' ? '،' : ','} ${formatTime(at, lang)}`
