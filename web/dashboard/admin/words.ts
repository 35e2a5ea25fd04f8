import { formatDay } from '@qatra/contract/calendar/calendar'
import { formatCount } from '@qatra/contract/lib/digits'
import type { Lang } from '@qatra/contract/lib/lang'
import type { Translate } from '../../lib/language/i18n.tsx'

/** `27,024 orders`, in the plural of the language. */
export const ordersIn = (t: Translate, count: number) => t('dashboard.count', { count, number: formatCount(count) })

/** `4.2%` */
export const percentOf = (share: number) => `${Math.round(share * 1000) / 10}%`

/** Increase in percent; null if there is no previous value or it is 0, or so small that a percentage says nothing. */
export function changeOf(now: number | null, before: number | null) {
  if (now === null || before === null || before === 0) return null
  const percent = ((now - before) / before) * 100
  return percent < 1000 ? percent : null
}

/** `Sat`; Arabic has no short names. */
export const weekdayIn = (day: string, lang: Lang) => formatDay(day, lang, 'short').split(' ')[0] ?? ''
export const dayOfMonth = (day: string) => String(Number(day.slice(8)))
export const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
