import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fils, fromBhd, toBhd, zeroFils } from '@qatra/contract/lib/money'
import type { AdminOrderDetail, changePayment as change } from '@qatra/contract/orders/admin'
import { paymentAfter } from '@qatra/contract/orders/cash'
import type { OrderField } from '@qatra/contract/orders/history'
import { canPaymentBecome, type PaymentStatus, paymentStatusOf } from '@qatra/contract/orders/order-status'
import {
  type addPayment as add,
  isBeyondLimit,
  type OrderPayments,
  type PaymentHolder,
  type PaymentInput,
  refundLeft,
} from '@qatra/contract/orders/payments'
import { eq, sql } from 'drizzle-orm'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Ctx } from '../../database/context.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import { isOpenDay, isPosted, post } from '../../ledger/commands.ts'
import { coveredBy } from '../../ledger/equation.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { reportedTime } from '../../lib/reported-time.ts'
import { readBusiness } from '../../vendors/queries.ts'
import { requireAdminOrder } from '../admin/queries.ts'
import { managedBy } from '../policy.ts'
import { lockOrderRow, type OrderRow, owedFor, readBill, requireVersion } from '../queries.ts'
import { orders } from '../tables.ts'
import { isOwnMistake, listPayments, officePerson, readHeld, readRefundLimit } from './queries.ts'
import { canRefund, doubleOf, type Held, limitOf, meansOf, officeKey, reversalOf } from './rules.ts'

/** @throws REFUND_LIMIT above what the vendor lets one person of the role pay back and write off in a day */
export async function requireWithinLimit(ctx: Ctx, vendorId: number, amount: number): Promise<void> {
  const business = await readBusiness(ctx, vendorId)
  if (limitOf(ctx.actor, business) === undefined) return
  await takeNumberLock(ctx.db, 'refunds', officePerson(ctx))
  const found = await readRefundLimit(ctx, vendorId, business)
  if (!found || !isBeyondLimit(amount, found)) return
  throw new AppError('REFUND_LIMIT', { limit: toBhd(fils(found.limit)), left: toBhd(refundLeft(found) ?? zeroFils) })
}

/** @throws FORBIDDEN, and INVALID_BODY without a reason */
function requireRefund(ctx: Ctx, field: 'reason' | 'notes', reason: string | null | undefined): void {
  if (!canRefund(ctx.actor)) throw new AppError('FORBIDDEN')
  if (!reason) throw invalidFields(ctx, { [field]: 'validation.required' })
}

interface OfficePayment extends Held {
  key: string
  reference?: string | null | undefined
  notes?: string | null | undefined
  happenedAt?: Date
  /** Default: that of `happenedAt`. */
  day?: string
  /** Takes back a mistake: no money moves. */
  isReversal?: boolean
}

/** Books payments that the office records, each once; the caller has locked the order. @returns the sum booked now */
export async function bookAtOffice(ctx: Ctx, order: OrderRow, payments: readonly OfficePayment[]): Promise<Fils> {
  const { total, received: before } = await readBill(ctx, order.id)
  let received = before
  for (const one of payments) {
    const { amount, happenedAt = ctx.now, day, reference = null, notes = null, isReversal = false, ...held } = one
    const entry = {
      ...held,
      vendorId: order.vendorId,
      orderId: order.id,
      kind: 'payment' as const,
      amount,
      due: coveredBy(received + amount, total) - coveredBy(received, total),
      day: day ?? bahrainDate(happenedAt),
      happenedAt,
      reference,
      notes,
    }
    if (await isPosted(ctx, entry)) continue
    if (!(await isOpenDay(ctx, order.vendorId, entry.day))) throw new AppError('DAY_CLOSED', { date: entry.day })
    if (received + amount < 0) throw invalidFields(ctx, { amount: 'validation.amount' })
    if (amount < 0 && !isReversal) await requireWithinLimit(ctx, order.vendorId, -amount)
    if (await post(ctx, entry)) received += amount
  }
  return fils(received - before)
}

/** Records a payment or refund for the office. */
export async function addPayment(ctx: Ctx, typedId: string, input: Parsed<typeof add>['body']): Promise<OrderPayments> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (input.amount < 0) requireRefund(ctx, 'reason', input.reason)
  const booked = await bookAtOffice(ctx, order, [officePayment(ctx, order, input)])
  await followPayments(ctx, order, { booked, notes: input.reason })
  return listPayments(ctx, order.id, input)
}

/** A payment as the office records it, with the driver or with the person of the office. @throws ORDER_WITHOUT_DRIVER */
export function officePayment(
  ctx: Ctx,
  order: OrderRow,
  {
    means,
    amount,
    holder = 'office',
    reference,
    key,
    at,
    reason,
  }: PaymentInput & { reason?: string | null | undefined },
): OfficePayment {
  const holderId = holder === 'driver' ? order.assignedDriverId : officePerson(ctx)
  if (holderId === null) throw new AppError('ORDER_WITHOUT_DRIVER')
  const happenedAt = reportedTime(at, ctx.now, order.createdAt)
  return {
    means,
    holder,
    holderId,
    reference: reference || null,
    notes: reason || null,
    key: officeKey(officePerson(ctx), key),
    happenedAt,
    amount: fromBhd(amount),
  }
}

/** Books what is due as received by the office, by the means of the order's method. */
export async function bookDueAtOffice(ctx: Ctx, order: OrderRow, method = order.paymentMethod): Promise<Fils> {
  const { total, received } = await readBill(ctx, order.id)
  if (received >= total) return zeroFils
  const holder = { holder: 'office' as const, holderId: officePerson(ctx), means: meansOf[method] }
  return bookAtOffice(ctx, order, [{ ...holder, amount: total - received, key: `paid:${order.id}:${order.version}` }])
}

/** Changes method and payment status for the office: `paid` books what is due, leaving it takes back what covered the order. */
export async function changePayment(
  ctx: Ctx,
  typedId: string,
  { paymentMethod, paymentStatus, mistake, notes, version }: Parsed<typeof change>['body'],
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  requireVersion(order, version)
  const from = paymentStatusOf(order.paymentStatus)
  const isChange = paymentStatus !== undefined && paymentStatus !== from
  if (isChange && !canPaymentBecome(from, paymentStatus))
    throw new AppError('ILLEGAL_TRANSITION', { from, to: paymentStatus })
  if (isChange && paymentStatus === 'paid') await bookDueAtOffice(ctx, order, paymentMethod)
  if (isChange && from === 'paid') await reverse(ctx, order, notes)
  const booked = mistake ? await takeBackDouble(ctx, order, { mistake, notes }) : zeroFils
  await followPayments(ctx, order, { booked, reported: isChange ? paymentStatus : undefined, paymentMethod, notes })
  return requireAdminOrder(ctx, order.id)
}

/**
 * Takes back one of two records of the same money, on its own day while that is open. The other one stays, also if the order
 * is not covered then. @returns the sum booked, negative
 */
async function takeBackDouble(
  ctx: Ctx,
  order: OrderRow,
  { mistake, notes = null }: { mistake: PaymentHolder; notes: string | null | undefined },
): Promise<Fils> {
  const { received } = await readBill(ctx, order.id)
  const double = doubleOf(await readHeld(ctx, [order.id]), { total: owedFor(order), received })
  const entries: OfficePayment[] = []
  for (const entry of double?.[mistake] ?? []) {
    const { id, holder, holderId, means, amount } = entry
    const isReversal = isOwnMistake(ctx, entry)
    if (!isReversal) requireRefund(ctx, 'notes', notes)
    const day = (await isOpenDay(ctx, order.vendorId, entry.day)) ? entry.day : bahrainDate(ctx.now)
    const key = `${isReversal ? 'reversed' : 'doubled'}:${id}`
    entries.push({ holder, holderId, means, amount: -amount, key, day, notes, isReversal })
  }
  return bookAtOffice(ctx, order, entries)
}

/** Takes back what made the order paid. @returns the sum booked, negative */
export async function reverse(ctx: Ctx, order: OrderRow, notes: string | null | undefined): Promise<Fils> {
  const [bill, held] = [await readBill(ctx, order.id), await readHeld(ctx, [order.id])]
  const by = { personId: officePerson(ctx), today: bahrainDate(ctx.now) }
  const { entries, isRefund } = reversalOf(held, { ...bill, ...by })
  if (isRefund) requireRefund(ctx, 'notes', notes)
  return bookAtOffice(
    ctx,
    order,
    entries.map((one) => ({ ...one, notes: notes || null })),
  )
}

interface PaymentChange {
  /** Fils that one payment booked, for the history; negative for a refund. */
  booked?: number
  /** What a person calls an order that its payments do not cover. */
  reported?: PaymentStatus | undefined
  paymentMethod?: OrderRow['paymentMethod'] | undefined
  notes?: string | null | undefined
}

/** Writes what follows from the payments of an order that the caller has locked, with its history. */
export async function followPayments(
  ctx: Ctx,
  { id, vendorId }: OrderRow,
  { booked = 0, reported, paymentMethod: method, notes }: PaymentChange,
): Promise<void> {
  const [before] = await ctx.db
    .select({ status: orders.paymentStatus, method: orders.paymentMethod })
    .from(orders)
    .where(eq(orders.id, id))
  const from = paymentStatusOf(before?.status)
  const to = paymentAfter(from, await readBill(ctx, id), reported)
  const changes: Change<OrderField>[] = []
  if (method !== undefined && method !== before?.method)
    changes.push({ field: 'paymentMethod', from: before?.method, to: method })
  if (booked !== 0) changes.push({ field: 'payment', from: null, to: toBhd(fils(booked)) })
  if (to !== from) changes.push({ field: 'paymentStatus', from, to })
  if (changes.length === 0) return
  const [changed] = await ctx.db
    .update(orders)
    .set({
      ...(method && { paymentMethod: method }),
      paymentStatus: to,
      version: sql`${orders.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(eq(orders.id, id))
    .returning({ version: orders.version })
  if (!changed) return
  await emit(ctx, {
    name: 'order.payment-changed',
    action: 'updated',
    resource: 'order',
    id,
    vendorId,
    changes,
    notes: notes || null,
    payload: { version: changed.version },
  })
}

/**
 * A report with a device's time, or of a delivered order, is of money that was taken: it is never refused for its means,
 * which the vendor may have changed since.
 * @throws INVALID_BODY for means that the vendor's drivers do not take, FORBIDDEN for a refund without the right
 */
export async function requirePayments(
  ctx: Ctx,
  { vendorId, status }: OrderRow,
  payments: readonly PaymentInput[],
  notes: string | null | undefined,
): Promise<void> {
  if (payments.some(({ amount }) => amount < 0)) requireRefund(ctx, 'notes', notes)
  if (status === 'delivered') return
  const { means: taken } = await readBusiness(ctx, vendorId)
  const wrong = payments.findIndex(
    ({ holder, means, at }) => holder === 'driver' && at === undefined && !taken.includes(means),
  )
  if (wrong >= 0) throw invalidFields(ctx, { [`payments.${wrong}.means`]: 'validation.invalid' })
}
