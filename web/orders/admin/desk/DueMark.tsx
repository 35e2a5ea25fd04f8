import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Order } from '@qatra/contract/orders/orders'
import type { ReactNode } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { ClockIcon, WarningIcon } from '../../../ui/icons.tsx'
import { dayOfYear, daysLate, nearDay } from '../day-words.ts'

type Due = Pick<Order, 'status' | 'promisedDate' | 'lastAttemptAt'>

/** A failed attempt, or else how late an open order is; null if neither. */
function useProblem(order: Due): { Sign: typeof ClockIcon; text: string } | null {
  const { t, lang } = useLanguage()
  const late = daysLate(order)
  if (late === null) return null
  if (order.lastAttemptAt) {
    const day = bahrainDate(new Date(order.lastAttemptAt))
    const near = nearDay(day)
    const isNear = near === 'today' || near === 'yesterday'
    return {
      Sign: WarningIcon,
      text: isNear ? t(`desk.failed.${near}`) : t('desk.failedOn', { day: dayOfYear(day, lang) }),
    }
  }
  return late > 0 ? { Sign: ClockIcon, text: t('desk.lateBy', { count: late }) } : null
}

/** The delivery day of a row; for a late or failed one the reason in its place. */
export function DueDay({ order }: { order: Due }) {
  const { t, lang } = useLanguage()
  const near = nearDay(order.promisedDate)
  return (
    <DueProblem order={order}>
      <time dateTime={order.promisedDate} className="text-ink-2">
        {near ? t(`admin.date.${near}`) : dayOfYear(order.promisedDate, lang)}
      </time>
    </DueProblem>
  )
}

/** Late or failed, in words; otherwise its children. */
export function DueProblem({ order, children }: { order: Due; children?: ReactNode }) {
  const problem = useProblem(order)
  if (!problem) return children
  const { Sign, text } = problem
  return (
    <span className="inline-flex items-center gap-1.5 font-strong text-clay">
      <Sign size={14} aria-hidden="true" className="flex-none" />
      {text}
    </span>
  )
}
