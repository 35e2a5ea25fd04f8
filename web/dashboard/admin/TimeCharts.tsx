import { bahrainDate, bahrainTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { ordersIn, wholeDay } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { MeasureChoice, type MeasuredProps } from './Card.tsx'
import { ChartCard, type ChartColumn } from './ChartCard.tsx'
import { clock, dayOfMonth, ordersIn as inWords, weekdayIn } from './words.ts'

/** Days of a week as bars, days of a month as a line, with the previous period. */
export function DayChart({ seen, measure, onMeasure, className }: MeasuredProps) {
  const { t, lang } = useLanguage()
  const isMoney = measure === 'revenue'
  const show = (value: number) => (isMoney ? formatMoney(fromBhd(value), lang) : formatCount(value))
  const isMonth = seen.period === 'month'
  const today = bahrainDate(new Date(seen.now))
  const columns = seen.byDay.map(({ day, dayBefore, ...sold }): ChartColumn => {
    const title = formatDay(day, lang, 'long')
    const value = isMoney ? sold.revenue : sold.orders
    const before = isMoney ? sold.revenueBefore : sold.before
    return {
      key: day,
      mark: isMonth ? dayOfMonth(day) : day === today ? t('dashboard.period.today') : weekdayIn(day, lang),
      title,
      name: named(title, value, before),
      value,
      before,
      orders: ordersIn(seen, wholeDay(day)),
      ordersBefore: dayBefore === null ? null : ordersIn(seen, wholeDay(dayBefore)),
      tone: day === today ? 'present' : day > today ? 'to-come' : 'plain',
    }
  })
  function named(name: string, count: number, before: number | null) {
    const value = isMoney ? show(count) : inWords(t, count)
    return before === null
      ? t('dashboard.named', { name, value })
      : t('dashboard.namedBefore', { name, value, before: show(before) })
  }
  return (
    <ChartCard
      title={t(isMoney ? 'dashboard.byDay.revenue' : 'dashboard.byDay')}
      choice={<MeasureChoice measure={measure} onMeasure={onMeasure} />}
      show={show}
      columns={columns}
      kind={isMonth ? 'line' : 'bars'}
      hasNumbers={!isMonth}
      unit={t('dashboard.column.day')}
      legend={{
        now: t(isMonth ? 'dashboard.legend.month' : 'dashboard.legend.week'),
        present: t('dashboard.legend.today'),
        before: t(isMonth ? 'dashboard.legend.beforeMonth' : 'dashboard.legend.beforeWeek'),
      }}
      {...(className ? { className } : {})}
    />
  )
}

/** Hours of one day with the previous day, or of all days of the period. */
export function HourChart({ seen, className }: { seen: Dashboard; className?: string }) {
  const { t } = useLanguage()
  const { period, span, spanBefore } = seen
  const isOneDay = period === 'today' || period === 'yesterday'
  const present = period === 'today' ? Number(bahrainTime(new Date(seen.now)).slice(0, 2)) : null
  const columns = seen.byHour.map(({ hour, orders, before }): ChartColumn => {
    const title = `${clock(hour)}–${clock((hour + 1) % 24)}`
    const value = inWords(t, orders)
    return {
      key: String(hour),
      mark: hour % 3 === 0 ? clock(hour) : '',
      title,
      name:
        before === null
          ? t('dashboard.named', { name: title, value })
          : t('dashboard.namedBefore', { name: title, value, before: formatCount(before) }),
      value: orders,
      before,
      orders: ordersIn(seen, span, { hour }),
      ordersBefore: before === null ? null : ordersIn(seen, wholeDay(spanBefore.from), { hour }),
      tone: present === null || hour < present ? 'plain' : hour === present ? 'present' : 'to-come',
    }
  })
  const legend = {
    today: { now: 'dashboard.period.today', before: 'dashboard.legend.beforeToday' },
    yesterday: { now: 'dashboard.legend.yesterday', before: 'dashboard.legend.beforeYesterday' },
    week: { now: 'dashboard.legend.week', before: null },
    month: { now: 'dashboard.legend.month', before: null },
  } as const
  const { now, before } = legend[period]
  return (
    <ChartCard
      title={t(isOneDay ? 'dashboard.byHour' : 'dashboard.byHour.all')}
      columns={columns}
      kind="bars"
      unit={t('dashboard.column.hour')}
      legend={{ now: t(now), before: before && t(before) }}
      {...(className ? { className } : {})}
    />
  )
}
