import { addDays, bahrainDate, formatDay, formatTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import type { Translate } from '../../../lib/language/i18n.tsx'

/** `10:56 AM` today, else the weekday within a week, else the date. */
export function shortTime(at: string, now: Date, lang: Lang, t: Translate): string {
  const moment = new Date(at)
  const [day, today] = [bahrainDate(moment), bahrainDate(now)]
  if (day === today) return formatTime(moment, lang)
  if (day === addDays(today, -1)) return t('admin.date.yesterday')
  const long = formatDay(day, lang, 'long')
  if (day > addDays(today, -7)) return long.split(' ')[0] ?? long
  return formatDay(day, lang, 'medium').replace(/ \d{4}$/, '')
}

export function dayTitle(day: string, now: Date, lang: Lang, t: Translate): string {
  const today = bahrainDate(now)
  if (day === today) return t('admin.date.today')
  if (day === addDays(today, -1)) return t('admin.date.yesterday')
  return day.slice(0, 4) === today.slice(0, 4) ? formatDay(day, lang, 'long') : formatDay(day, lang, 'medium')
}

const MINUTE_MS = 60_000
export const minutesLeft = (until: string, now: Date) =>
  Math.max(0, Math.ceil((Date.parse(until) - now.getTime()) / MINUTE_MS))

export const clock = (at: string, lang: Lang) => formatTime(new Date(at), lang)

/** The clock, with the day if it is not today. */
export function dayAndClock(at: Date, lang: Lang): string {
  const day = bahrainDate(at)
  const time = formatTime(at, lang)
  return day === bahrainDate(new Date()) ? time : `${formatDay(day, lang, 'short')} ${time}`
}

/** How long a customer has waited. */
export function waitedFor(since: string, now: Date, t: Translate): string {
  const minutes = Math.max(1, Math.floor((now.getTime() - Date.parse(since)) / MINUTE_MS))
  if (minutes < 60) return t('inbox.waited.minutes', { count: minutes })
  if (minutes < 48 * 60) return t('inbox.waited.hours', { count: Math.floor(minutes / 60) })
  return t('inbox.waited.days', { count: Math.floor(minutes / (24 * 60)) })
}
