import * as z from 'zod/mini'
import { instantInput } from '../calendar/dates.ts'
import { rowIdNumber } from '../lib/ids.ts'
import { type Fils, isWholeFils } from '../lib/money.ts'
import { type OrderStatus, type PaymentMethod, type PaymentStatus, paymentStatusOf } from './order-status.ts'

/** Idempotency key. The client creates it once per action, so that a repeated request has no further effect. */
export const orderKey = /* @__PURE__ */ z
  .string()
  .check(/* @__PURE__ */ z.regex(/^[\w:.-]{8,100}$/, 'validation.invalid'))

/** BHD, at most three decimals. */
export const cashBhd = /* @__PURE__ */ z
  .number('validation.amount')
  .check(
    z.gte(-100_000, 'validation.amount'),
    z.lte(100_000, 'validation.amount'),
    z.refine(isWholeFils, 'validation.threeDecimals'),
  )

/** Who holds the cash of a delivered order; `nobody`: it was not collected. */
export const cashHolders = ['driver', 'office', 'nobody'] as const
export type CashHolder = (typeof cashHolders)[number]

/** Cash collected at the door, sent together with the delivery. */
export const cashTaken = /* @__PURE__ */ z.object({
  amount: /* @__PURE__ */ cashBhd.check(z.gte(0, 'validation.amount')),
  key: orderKey,
  /** Time of the delivery by the device's clock; the server limits it to a plausible range. */
  at: /* @__PURE__ */ z.optional(instantInput),
})

/** Whether the order's money is collected as cash and not settled. */
export const isCashOpen = ({ paymentMethod, paymentStatus }: Pick<CashBill, 'paymentMethod' | 'paymentStatus'>) =>
  paymentMethod === 'cash' && paymentStatusOf(paymentStatus) !== 'paid'

export interface CashBill {
  status: OrderStatus
  paymentMethod: PaymentMethod
  paymentStatus: PaymentStatus | null
  /** Fils. */
  total: number
  /** Fils that were received for the order so far. */
  received: number
}

/** Fils still to collect in cash: the total without what was received, whichever delivery it was received at. */
export const cashDue = (bill: CashBill): Fils =>
  (isCashOpen(bill) && bill.status !== 'cancelled' ? Math.max(0, bill.total - bill.received) : 0) as Fils // sums of fils

/** Fils paid: of an order that is marked paid the total, of others what was received. */
export const amountPaid = ({ paymentStatus, total, received }: Omit<CashBill, 'status' | 'paymentMethod'>): Fils =>
  (paymentStatusOf(paymentStatus) === 'paid' ? Math.max(total, received) : received) as Fils // sums of fils

/** An order is paid exactly if its payments cover its total. @param reported what a person calls an order that is not paid */
export function paymentAfter(
  before: PaymentStatus | null,
  { total, received }: { total: number; received: number },
  reported?: PaymentStatus,
): PaymentStatus {
  if (received >= total) return 'paid'
  const status = reported === undefined || reported === 'paid' ? paymentStatusOf(before) : reported
  return status === 'paid' ? 'unpaid' : status
}

/** Pieces of one product that can be handed over. */
export const mostDelivered = 100
const pieces = (least: number) =>
  z.int('validation.number').check(z.gte(least, 'validation.number'), z.lte(mostDelivered, 'validation.deliveredMost'))

/** Quantity of an item that was handed over, also more than was ordered. */
export const deliveredItem = /* @__PURE__ */ z.object({ itemId: rowIdNumber, quantity: /* @__PURE__ */ pieces(0) })
export type DeliveredItem = z.output<typeof deliveredItem>

/** A product of the van that was handed over without an order. */
export const addedItem = /* @__PURE__ */ z.object({ productId: rowIdNumber, quantity: /* @__PURE__ */ pieces(1) })
export type AddedItem = z.output<typeof addedItem>
