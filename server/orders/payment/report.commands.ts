/** The money of a reported delivery: what was paid, and where it is booked. */

import type { Parsed } from '@qatra/contract/endpoint'
import { addFils, type Fils, fromBhd, zeroFils } from '@qatra/contract/lib/money'
import type { changeOrderStatus } from '@qatra/contract/orders/admin'
import { paymentAfter } from '@qatra/contract/orders/cash'
import type { PaymentInput } from '@qatra/contract/orders/payments'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { reportedTime } from '../../lib/reported-time.ts'
import { type OrderRow, readBill } from '../queries.ts'
import { canDriverReport, isPaid, type Settlement, settle } from '../status/rules.ts'
import { bookAtOffice, bookDueAtOffice, followPayments, officePayment, requirePayments, reverse } from './commands.ts'
import { bookCollected } from './door.commands.ts'

type ReportInput = Pick<
  Parsed<typeof changeOrderStatus>['body'],
  'cash' | 'cashHeldBy' | 'payments' | 'paymentStatus' | 'notes'
>
export type Report = Awaited<ReturnType<typeof requireReport>>

/** @throws FORBIDDEN, INVALID_BODY for money that the actor cannot report */
export async function requireReport(
  ctx: Ctx,
  order: OrderRow,
  { cash, cashHeldBy, payments, paymentStatus, notes }: ReportInput,
) {
  const isOwn = ctx.actor.user?.role === 'driver'
  const holder = isOwn ? 'driver' : 'office'
  const paid = payments?.map((one) => ({ holder, ...one }) as const)
  const said = {
    taken: cash && fromBhd(cash.amount),
    cashHeldBy,
    paymentStatus,
    paid: paid?.map((one) => ({ holder: one.holder, amount: fromBhd(one.amount) })),
  }
  if (isOwn && !canDriverReport(order, said)) throw new AppError('FORBIDDEN')
  if (paid) await requirePayments(ctx, order, paid, notes)
  const parts = cash ? [cash] : (payments ?? [])
  const happenedAt = reportedTime(parts[0]?.at, ctx.now, order.createdAt)
  return { isOwn, said, parts, paid, cashKey: cash?.key, happenedAt, notes }
}

/**
 * Decides what the report books, after taking back what it calls not paid.
 * @param totals of what was handed over, if that was not as ordered
 * @throws ORDER_WITHOUT_DRIVER if a driver should have the cash
 */
export async function settleReport(
  ctx: Ctx,
  order: OrderRow,
  { said, isOwn, notes }: Report,
  totals: { total: number } | undefined,
): Promise<Settlement & { reversed: Fils }> {
  const isTakenBack = isPaid(order) && (said.paymentStatus === 'unpaid' || said.paymentStatus === 'failed')
  const reversed = isTakenBack ? await reverse(ctx, order, notes) : zeroFils
  const { received } = await readBill(ctx, order.id)
  const bill = { ...order, received, ...totals }
  // What was paid covers another total, or does not.
  if (totals) bill.paymentStatus = paymentAfter(order.paymentStatus, bill)
  const settled = settle(bill, said, isOwn)
  if (settled.collected > 0 && order.assignedDriverId === null) throw new AppError('ORDER_WITHOUT_DRIVER')
  return { ...settled, reversed }
}

const isTaken = ({ holder, amount }: PaymentInput) => holder === 'driver' && amount > 0

/** Books the money of a delivery whose status is written. @returns the sum booked now */
export async function bookReport(
  ctx: Ctx,
  order: OrderRow,
  { paid, cashKey, happenedAt, notes }: Report,
  settled: Settlement & { reversed: Fils },
): Promise<Fils> {
  const { assignedDriverId: driverId, status } = order
  const parts = paid
    ? paid.filter(isTaken).map((one) => ({ ...one, amount: fromBhd(one.amount) }))
    : [{ means: 'cash' as const, amount: settled.collected, key: cashKey }]
  const collected = driverId === null ? zeroFils : await bookCollected(ctx, order, { driverId, parts, happenedAt })
  const recorded = paid
    ?.filter((one) => !isTaken(one))
    .map((one) => officePayment(ctx, order, { ...one, reason: one.amount < 0 ? notes : null }))
  const bookDue = () => (settled.office > 0 ? bookDueAtOffice(ctx, order) : zeroFils)
  const office = await (recorded ? bookAtOffice(ctx, order, recorded) : bookDue())
  const booked = addFils(settled.reversed, collected, office)
  const isRepeated = status === 'delivered'
  // Of a repeated report all may have been booked before.
  if (!isRepeated || isPaid(order) || booked !== 0)
    await followPayments(ctx, order, {
      reported: settled.paymentStatus,
      // That the office has the cash of a delivery is said by the payment status.
      booked: recorded || isRepeated ? office : zeroFils,
      notes,
    })
  return booked
}
