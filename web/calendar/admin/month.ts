import { listClosedDays } from '@qatra/contract/calendar/admin'
import { addDays, formatDay, weekdayOf } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import { listDayLoads } from '@qatra/contract/orders/delivery'
import { read } from '../../lib/api-client.ts'

/** First day of the date's month. */
export const monthOf = (date: string) => `${date.slice(0, 7)}-01`

/** First day of the month `n` months later. */
export function monthsOn(month: string, n: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + n
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`
}

/** Six weeks from the Saturday on or before the month's first day. */
export function daysOf(month: string): string[] {
  const first = addDays(month, -((weekdayOf(month) + 1) % 7))
  return Array.from({ length: 42 }, (_, i) => addDays(first, i))
}

/** `November 2026` */
export const monthTitle = (month: string, lang: Lang) => formatDay(month, lang, 'medium').split(' ').slice(1).join(' ')

/** Orders that are promised for these days. */
export function loadsIn(month: string, vendorId: number | null) {
  const days = daysOf(month)
  const between = { from: days[0] ?? month, to: days.at(-1) ?? month }
  return read(listDayLoads, { query: vendorId ? { ...between, vendorId: String(vendorId) } : between })
}

/** Closures on the days that a month's grid shows. */
export function closedIn(month: string, vendorId: number | null) {
  const days = daysOf(month)
  const between = { from: days[0] ?? month, to: days.at(-1) ?? month, limit: 100 }
  return read(listClosedDays, { query: vendorId ? { ...between, vendorId: String(vendorId) } : between })
}
