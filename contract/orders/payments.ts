import * as z from 'zod/mini'
import { instantInput } from '../calendar/dates.ts'
import { endpoint } from '../endpoint.ts'
import { westernDigits } from '../lib/digits.ts'
import { instant } from '../lib/ids.ts'
import { type Fils, fils } from '../lib/money.ts'
import { freeText } from '../lib/text.ts'
import { cashBhd, orderKey } from './cash.ts'
import { orderParams } from './orders.ts'

/** Means of a payment. `account` is added to what the customer owes, `booklet` uses up units that were paid before. */
export const paymentMeans = ['cash', 'benefitpay', 'card', 'transfer', 'cheque', 'account', 'booklet'] as const
export type PaymentMeans = (typeof paymentMeans)[number]

/** What one person may pay back in a day, and has; fils. */
export interface RefundLimit {
  limit: number
  refunded: number
}

/** Fils that may still be paid back; null without a limit. */
export const refundLeft = (of: RefundLimit | null): Fils | null => of && fils(Math.max(0, of.limit - of.refunded))

export function isBeyondLimit(amount: number, of: RefundLimit | null): boolean {
  const left = refundLeft(of)
  return left !== null && amount > left
}

/** Means that move no money: they need an account or a booklet of the customer. */
export const isOfAccount = (means: PaymentMeans): boolean => means === 'account' || means === 'booklet'
export const receivedMeans: readonly PaymentMeans[] = /* @__PURE__ */ paymentMeans.filter((one) => !isOfAccount(one))

/** Who has the money: the order's driver, or the person of the office who recorded it. */
export const paymentHolders = ['driver', 'office'] as const
export type PaymentHolder = (typeof paymentHolders)[number]

/** Digits in one script, since a reference is compared with those of other payments. */
const referenceText = freeText(100).check(z.overwrite(westernDigits))

const paymentFields = {
  /** Customers have no accounts or booklets yet, so those means would pay an order with nothing. */
  means: z.enum(paymentMeans).check(z.refine((means) => !isOfAccount(means), 'validation.invalid')),
  /** BHD; negative for a refund. */
  amount: cashBhd.check(z.refine((amount) => amount !== 0, 'validation.amount')),
  /** Default: the driver for a driver, the office for others. A driver cannot name the office. */
  holder: z.optional(z.enum(paymentHolders)),
  /** Of the bank, the card terminal or the cheque. */
  reference: z.optional(z.nullable(referenceText)),
  /** A repeated request with the same key writes nothing. */
  key: orderKey,
  /** Time of the payment by the device's clock; the server limits it to a plausible range. */
  at: z.optional(instantInput),
}
export const paymentInput = z.object(paymentFields)
export type PaymentInput = z.output<typeof paymentInput>

export const payment = z.object({
  id: z.number(),
  means: z.enum(paymentMeans),
  /** BHD; negative for a refund or a correction. */
  amount: z.number(),
  /** `id` and `name` are null where the person of the office is not known. */
  holder: z.object({
    kind: z.enum(paymentHolders),
    id: z.nullable(z.number()),
    name: z.nullable(z.string()),
  }),
  reference: z.nullable(z.string()),
  /** Another order whose payment had the same reference before, of the same vendor and means; for the office alone. */
  usedBefore: z.nullable(z.string()),
  key: z.string(),
  /** When it was paid. */
  at: instant,
  /** The Bahrain day on which it is booked: a later one than that of `at` where that was closed. */
  date: z.string(),
  recordedBy: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  reason: z.nullable(z.string()),
})
export type Payment = z.output<typeof payment>

/** Of an order that was paid twice: what may be the same money, recorded by the office and reported by its driver. */
export const double = z.object({
  /** `isOwn`: a record of the actor, of today. Taking back another one needs `orders.refund` and a reason. BHD. */
  office: z.object({ name: z.nullable(z.string()), amount: z.number(), isOwn: z.boolean() }),
  driver: z.object({ name: z.nullable(z.string()), amount: z.number() }),
})
export type Double = z.output<typeof double>

export const orderPayments = z.object({
  /** Oldest first. */
  entries: z.array(payment),
  /** BHD; negative: owed back to the customer. */
  due: z.number(),
  /** The same as of an entry, for the reference of the request. */
  usedBefore: z.nullable(z.string()),
})
export type OrderPayments = z.output<typeof orderPayments>

export const listPayments = endpoint({
  method: 'GET',
  path: '/api/admin/orders/{id}/payments',
  allow: 'staff',
  permissions: ['orders.read'],
  summary:
    'Payments and refunds of an order, and what is due; with means and a reference, the order that had it before',
  params: orderParams,
  query: z.object({ means: z.optional(z.enum(paymentMeans)), reference: z.optional(referenceText) }),
  returns: orderPayments,
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

export const addPayment = endpoint({
  method: 'POST',
  path: '/api/admin/orders/{id}/payments',
  allow: 'admin',
  permissions: ['orders.payment'],
  summary: 'Record a payment; a refund is negative, needs a reason and the permission `orders.refund`',
  params: orderParams,
  body: z.object({ ...paymentFields, reason: z.optional(z.nullable(freeText(500))) }),
  returns: orderPayments,
  errors: ['ORDER_NOT_FOUND', 'ORDER_WITHOUT_DRIVER', 'IDEMPOTENCY_KEY_REUSED', 'DAY_CLOSED', 'REFUND_LIMIT'],
})
