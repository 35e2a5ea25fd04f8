import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Order } from '@qatra/contract/orders/orders'
import { useLanguage } from '../lib/language/i18n.tsx'
import { formerSlot } from './arrival.ts'

/** That the order was moved from its day because the day was closed; null if it was not, or has the day again. */
export function useClosureText() {
  const { t, lang } = useLanguage()
  return (order: Pick<Order, 'movedFrom' | 'promisedDate' | 'movedByClosure'>) => {
    const former = formerSlot(order)
    if (former === null || !order.movedByClosure) return null
    return t('days.movedClosed', {
      from: slotWords(former, lang, 'long'),
      to: slotWords(slotOf(order), lang, 'long'),
    })
  }
}
