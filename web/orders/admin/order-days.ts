import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { today } from '../../ui/admin/day-words.ts'

/** The day of the driver's run that holds the order: a late order moves to today's run. */
export function runDayOf({ status, deliveredAt, promisedDate }: Order): string {
  if (deliveredAt) return bahrainDate(new Date(deliveredAt))
  return status !== 'cancelled' && promisedDate < today() ? today() : promisedDate
}

/** Days since the delivery day of an open order, 0 until the day is over; null once it is closed. */
export function daysLate({ status, promisedDate }: Pick<Order, 'status' | 'promisedDate'>): number | null {
  if (isClosed(status)) return null
  return Math.max(0, Math.round((Date.parse(today()) - Date.parse(promisedDate)) / 86_400_000))
}
