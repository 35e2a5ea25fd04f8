/** Deposits that are paid back at the door for more empties than expected: money and bottles, beside the order's total. */

import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { addFils, fils, fromBhd, toBhd, zeroFils } from '@qatra/contract/lib/money'
import {
  type BottleCount,
  type BottleLine,
  bottleSums,
  type RefundChoice,
  refundLimitOf,
  refundOf,
  splitRefund,
} from '@qatra/contract/orders/bottles'
import type { PaymentInput } from '@qatra/contract/orders/payments'
import { readHeld } from '../../bottles/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { firstOpenDay, post } from '../../ledger/commands.ts'
import { driverKey } from '../../ledger/rules.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { readBusiness } from '../../vendors/queries.ts'
import { requireWithinLimit } from '../payment/commands.ts'
import { officePerson } from '../payment/queries.ts'
import { deliveryOf } from '../payment/door.commands.ts'
import { canRefund, officeKey } from '../payment/rules.ts'
import type { OrderRow } from '../queries.ts'

interface WithPayments {
  refund?: RefundChoice | undefined
  payments?: PaymentInput[] | undefined
}

/**
 * The money of a report without what was paid back with `now`. A report with a device's time is of what was done, whatever the
 * vendor has changed since.
 * @throws INVALID_BODY where the vendor does not leave the choice, FORBIDDEN for the office without the right to refund
 */
export async function splitRefunds<Input extends WithPayments>(
  ctx: Ctx,
  { vendorId }: OrderRow,
  { refund, ...money }: Input,
): Promise<{ money: Omit<Input, 'refund'>; refunds: PaymentInput[] }> {
  if (refund === undefined) return { money, refunds: [] }
  const { payments } = money
  const isReport = payments?.some(({ at }) => at !== undefined) ?? false
  if (!isReport && !(await readBusiness(ctx, vendorId)).refundChoice)
    throw invalidFields(ctx, { refund: 'validation.invalid' })
  if (refund === 'credit' || !payments) return { money, refunds: [] }
  const isBack = ({ amount }: PaymentInput) => amount < 0
  return { money: { ...money, payments: payments.filter((one) => !isBack(one)) }, refunds: payments.filter(isBack) }
}

interface Counted {
  /** Handed over, with the empties that the order counts. */
  lines: readonly BottleLine[]
  counts: readonly BottleCount[]
  deliveredAt: Date
  /** What was paid back; without any, what can be. */
  refunds: readonly PaymentInput[]
}

export type Refunded = ReturnType<typeof splitRefund>[number]

/** Before the bottles of the delivery are posted. @returns the deposits that are held no more @throws MORE_THAN_DUE beyond the deposits of what came back, REFUND_LIMIT */
export async function payBackDeposits(
  ctx: Ctx,
  order: OrderRow,
  { lines, counts, deliveredAt, refunds }: Counted,
): Promise<Refunded[]> {
  const { id: orderId, vendorId, userId: customerId, assignedDriverId: driverId } = order
  if (customerId === null) return []
  const held = new Map((await readHeld(ctx, vendorId, [customerId])).map((type) => [type.typeId, type]))
  const sums = bottleSums(lines, counts).flatMap((sum) => {
    const type = held.get(sum.typeId)
    return type ? [{ typeId: sum.typeId, limit: refundLimitOf(sum, type.deposit), usual: refundOf(sum, type) }] : []
  })
  const said = refunds.map(({ amount, ...one }) => ({ ...one, amount: fromBhd(-amount) }))
  const usual = addFils(zeroFils, ...sums.map((sum) => sum.usual))
  const isDriver = ctx.actor.user?.role === 'driver'
  const own = { means: 'cash' as const, key: `refund:${orderId}`, reference: null, holder: undefined, amount: usual }
  const paid = (said.length > 0 ? said : [own]).filter(({ amount }) => amount > 0)
  const sum = addFils(zeroFils, ...paid.map(({ amount }) => amount))
  if (sum === 0) return []
  const most = addFils(zeroFils, ...sums.map(({ limit }) => limit))
  if (sum > most) throw new AppError('MORE_THAN_DUE', { due: toBhd(most) })
  if (!isDriver && !canRefund(ctx.actor)) throw new AppError('FORBIDDEN')
  await requireWithinLimit(ctx, vendorId, sum)
  const delivery = await deliveryOf(ctx, orderId)
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(deliveredAt))
  const at = { vendorId, orderId, delivery, day, happenedAt: deliveredAt }
  for (const { means, amount, key, reference, holder = isDriver ? 'driver' : 'office' } of paid) {
    const isOfDriver = holder === 'driver'
    if (isOfDriver && driverId === null) throw new AppError('ORDER_WITHOUT_DRIVER')
    await post(ctx, {
      ...at,
      holder,
      holderId: isOfDriver ? driverId : officePerson(ctx),
      kind: 'refunded',
      means,
      amount: 0 - amount,
      due: 0 - amount,
      reference: reference || null,
      key: isOfDriver ? driverKey(driverId ?? 0, key, delivery) : officeKey(officePerson(ctx), `${delivery}:${key}`),
    })
  }
  const limits = said.length > 0 ? sums : sums.map(({ typeId, usual: limit }) => ({ typeId, limit }))
  return splitRefund(fils(sum), limits)
}
