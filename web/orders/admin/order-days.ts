import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { daysUntil, slotOf } from '@qatra/contract/calendar/slot'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { today } from '../../ui/admin/day-words.ts'

/** The day of the driver's run that holds the order: a late order moves to today's run. */
export function runDayOf({ status, deliveredAt, ...order }: Order): string {
  if (deliveredAt) return bahrainDate(new Date(deliveredAt))
  const slot = slotOf(order)
  return status !== 'cancelled' && daysUntil(slot, today()) < 0 ? today() : slot.date
}

/** Days since the delivery day of an open order, 0 until the day is over; null once it is closed. */
export const daysLate = ({ status, ...order }: Pick<Order, 'status' | 'promisedDate'>): number | null =>
  isClosed(status) ? null : Math.max(0, -daysUntil(slotOf(order), today()))
