import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, daysUntil, sameSlot, slotOf, slotOn, slotWords } from '@qatra/contract/calendar/slot'
import { isLate } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { useLanguage } from '../lib/language/i18n.tsx'
import { serverNow } from '../lib/server-clock.ts'

type Promised = Pick<Order, 'status' | 'promisedDate'>

const today = () => bahrainDate(new Date(serverNow()))

export const isLateNow = (order: Promised) => isLate(order, today())

/** The former slot of an order that was moved; null if it has the slot again. */
export function formerSlot({ movedFrom, ...order }: Pick<Order, 'movedFrom' | 'promisedDate'>): DeliverySlot | null {
  const former = movedFrom === null ? null : slotOn(movedFrom)
  return sameSlot(former, slotOf(order)) ? null : former
}

/** When an open order arrives, as a sentence: today, tomorrow, the day, or that it is late. */
export function useArrivalText() {
  const { t, lang } = useLanguage()
  /** Tomorrow is named by its day, or by its weekday alone where the room is short. */
  return (order: Promised, tomorrow: 'long' | 'weekday' = 'long') => {
    const slot = slotOf(order)
    const day = slotWords(slot, lang, 'long')
    if (isLateNow(order)) return t('open.late', { day })
    const days = daysUntil(slot, today())
    if (days === 0) return t('open.today')
    return days === 1 ? t('open.tomorrow', { day: slotWords(slot, lang, tomorrow) }) : t('order.arrives', { day })
  }
}
