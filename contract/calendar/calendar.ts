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

/** Days from a date to a later one; negative to an earlier one. */
export const daysBetween = (from: string, to: string): number => (midnight(to) - midnight(from)) / day

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

/** long `Saturday 21 November` · medium `21 November 2026` · short `Sat 21 Nov` (Arabic has no short names) · date `21 Nov`. */
export function formatDay(date: string, lang: Lang, style: 'long' | 'medium' | 'short' | 'date'): string {
  const weekday = formatWeekday(date, lang)
  const month = months[lang][Number(date.slice(5, 7)) - 1] ?? ''
  const number = Number(date.slice(8))
  if (style === 'medium') return `${number} ${month} ${Number(date.slice(0, 4))}`
  if (style === 'date') return `${number} ${lang === 'en' ? month.slice(0, 3) : month}`
  const isCut = style === 'short' && lang === 'en'
  return isCut ? `${weekday.slice(0, 3)} ${number} ${month.slice(0, 3)}` : `${weekday} ${number} ${month}`
}

export const formatWeekday = (date: string, lang: Lang): string => weekdayName(weekdayOf(date), lang)

/** 0 is Sunday. */
export const weekdayName = (weekday: number, lang: Lang): string => weekdays[lang][weekday] ?? ''

/** The weekdays of a working week in Bahrain, which begins on Saturday. */
export const weekFromSaturday = [6, 0, 1, 2, 3, 4, 5] as const

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
