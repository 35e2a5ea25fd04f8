import { addDays, bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { isLate } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { useLanguage } from '../lib/language/i18n.tsx'
import { serverNow } from '../lib/server-clock.ts'

type Promised = Pick<Order, 'status' | 'promisedDate'>

const today = () => bahrainDate(new Date(serverNow()))

export const isLateNow = (order: Promised) => isLate(order, today())

/** The former day of an order that was moved; null if it has the day again. */
export const formerDay = ({ movedFrom, promisedDate }: Pick<Order, 'movedFrom' | 'promisedDate'>) =>
  movedFrom === promisedDate ? null : movedFrom

/** When an open order arrives, as a sentence: today, tomorrow, the day, or that it is late. */
export function useArrivalText() {
  const { t, lang } = useLanguage()
  return (order: Promised) => {
    const { promisedDate } = order
    const day = formatDay(promisedDate, lang, 'long')
    if (isLateNow(order)) return t('open.late', { day })
    if (promisedDate === today()) return t('open.today')
    return promisedDate === addDays(today(), 1) ? t('open.tomorrow', { day }) : t('order.arrives', { day })
  }
}
