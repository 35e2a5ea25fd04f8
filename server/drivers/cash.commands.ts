import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { CashDay, writeCash as write } from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import { fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { takeNumberLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { isOpenDay, isPosted, post } from '../ledger/commands.ts'
import { driverKey } from '../ledger/rules.ts'
import { AppError } from '../lib/errors.ts'
import { reportedTime } from '../lib/reported-time.ts'
import { followPayments, requireWithinLimit } from '../orders/payment/commands.ts'
import { canRefund } from '../orders/payment/rules.ts'
import { managedBy } from '../orders/policy.ts'
import { lockOrderRow } from '../orders/queries.ts'
import { readCashDay, readShortages } from './cash.queries.ts'
import { type DriverRow, requireHolder } from './drivers.queries.ts'
import { canManageCash } from './policy.ts'

/** @throws FORBIDDEN for a driver's own handover or correction, and for a write-off without the right to refund */
export async function writeCash(
  ctx: Ctx,
  driverId: number,
  { kind, amount, orderId, notes, key, date, at, vendorId }: Parsed<typeof write>['body'],
): Promise<CashDay> {
  const driver = await requireHolder(ctx, driverId, { vendorId, day: date ?? bahrainDate(ctx.now) })
  if (kind !== 'counted' && !canManageCash(ctx.actor, driver.vendorId)) throw new AppError('FORBIDDEN')
  if (kind === 'written-off' && !canRefund(ctx.actor)) throw new AppError('FORBIDDEN')
  const order = orderId ? await lockOrderRow(ctx, orderId, managedBy(ctx.actor)) : null
  if (order && order.assignedDriverId !== driver.id) throw new AppError('ORDER_NOT_FOUND')
  const happenedAt = reportedTime(at, ctx.now, order?.createdAt)
  const reportedDay = bahrainDate(happenedAt)
  const entry = {
    kind,
    vendorId: driver.vendorId,
    holder: 'driver' as const,
    holderId: driver.id,
    orderId: order?.id ?? null,
    // Nothing is booked on a future day.
    day: date !== undefined && date < reportedDay ? date : reportedDay,
    amount: fromBhd(amount),
    notes: notes || null,
    key: driverKey(driver.id, key),
    happenedAt,
  }
  const request = { namesDay: date === entry.day }
  if (kind === 'written-off') await takeNumberLock(ctx.db, 'shortage', driver.id)
  const isOpen = await isOpenDay(ctx, driver.vendorId, entry.day)
  if (kind === 'written-off' || !isOpen) {
    if (await isPosted(ctx, entry, request)) return readCashDay(ctx, driver, date)
    if (!isOpen) throw new AppError('CASH_DAY_CLOSED')
    await takeOffShortage(ctx, driver, entry)
  }
  await post(ctx, entry, request)
  if (order) await followPayments(ctx, order, { notes })
  return readCashDay(ctx, driver, date)
}

/**
 * Before a write-off is booked; the caller has locked the driver's shortage.
 * @throws MORE_THAN_SHORTAGE, REFUND_LIMIT
 */
async function takeOffShortage(
  ctx: Ctx,
  { id, vendorId }: DriverRow,
  { amount, notes }: { amount: number; notes: string | null },
): Promise<void> {
  const shortage = (await readShortages(ctx, [id], vendorId)).get(id) ?? 0
  if (amount > shortage) throw new AppError('MORE_THAN_SHORTAGE', { shortage: toBhd(fils(shortage)) })
  await requireWithinLimit(ctx, vendorId, amount)
  await emit(ctx, {
    name: 'cash.written-off',
    action: 'written-off',
    resource: 'user',
    id,
    vendorId,
    changes: [
      { field: 'shortage', from: toBhd(fils(shortage)), to: toBhd(fils(shortage - amount)) },
      { field: 'reason', from: null, to: notes },
    ],
  })
}
