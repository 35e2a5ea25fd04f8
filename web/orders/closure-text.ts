import { formatDay } from '@qatra/contract/calendar/calendar'
import type { Order } from '@qatra/contract/orders/orders'
import { useLanguage } from '../lib/language/i18n.tsx'
import { formerDay } from './arrival.ts'

/** That the order was moved from its day because the day was closed; null if it was not, or has the day again. */
export function useClosureText() {
  const { t, lang } = useLanguage()
  return (order: Pick<Order, 'movedFrom' | 'promisedDate' | 'movedByClosure'>) => {
    const former = formerDay(order)
    if (former === null || !order.movedByClosure) return null
    return t('days.movedClosed', {
      from: formatDay(former, lang, 'long'),
      to: formatDay(order.promisedDate, lang, 'long'),
    })
  }
}
