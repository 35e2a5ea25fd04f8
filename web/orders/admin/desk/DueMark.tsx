import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, daysUntil, slotOf } from '@qatra/contract/calendar/slot'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import type { ReactNode } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { dayOfYear, nearDay } from '../../../ui/admin/day-words.ts'
import { ClockIcon, WarningIcon } from '../../../ui/icons.tsx'
import { daysLate } from '../order-days.ts'

type Due = Pick<Order, 'status' | 'promisedDate' | 'failedAttempts' | 'lastAttemptAt'>

/** A failed attempt, with the new day if it was moved since, or else how late an open order is; null if neither. */
function useProblem(order: Due): { Sign: typeof ClockIcon; text: string } | null {
  const { t, lang } = useLanguage()
  const dayWord = useDayWord()
  const late = daysLate(order)
  if (late === null) return null
  if (order.lastAttemptAt) {
    const day = bahrainDate(new Date(order.lastAttemptAt))
    if (daysUntil(slotOf(order), day) > 0) return { Sign: WarningIcon, text: dayWord(slotOf(order)) }
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
  const dayWord = useDayWord()
  return (
    <DueProblem order={order}>
      <time dateTime={order.promisedDate} className="text-ink-2">
        {dayWord(slotOf(order))}
      </time>
    </DueProblem>
  )
}

function useDayWord() {
  const { t, lang } = useLanguage()
  return ({ date }: DeliverySlot) => {
    const near = nearDay(date)
    return near ? t(`admin.date.${near}`) : dayOfYear(date, lang)
  }
}

/** Late or failed, in words, otherwise its children; with the number of the attempt from the second on. */
export function DueProblem({ order, children }: { order: Due; children?: ReactNode }) {
  const t = useT()
  const problem = useProblem(order)
  const isAgain = order.failedAttempts > 0 && !isClosed(order.status)
  if (!problem && !isAgain) return children
  return (
    // In a narrow column the number wraps below.
    <span className="inline-flex flex-wrap items-center gap-x-1.5 align-middle font-strong leading-tight text-clay">
      <span className="inline-flex items-center gap-1.5">
        {problem ? (
          <>
            <problem.Sign size={14} aria-hidden="true" className="flex-none" />
            {problem.text}
          </>
        ) : (
          children
        )}
      </span>
      {isAgain && (
        <span className="font-regular text-caption leading-tight">
          {t('admin.attemptNumber', { number: order.failedAttempts + 1 })}
        </span>
      )}
    </span>
  )
}
