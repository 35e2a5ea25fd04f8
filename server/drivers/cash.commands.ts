import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { CashDay, writeCash as write } from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import { fromBhd } from '@qatra/contract/lib/money'
import type { Ctx } from '../database/context.ts'
import { isOpenDay, isPosted, post } from '../ledger/commands.ts'
import { driverKey } from '../ledger/rules.ts'
import { AppError } from '../lib/errors.ts'
import { reportedTime } from '../lib/reported-time.ts'
import { followPayments } from '../orders/payment/commands.ts'
import { bookCollected } from '../orders/payment/door.commands.ts'
import { managedBy } from '../orders/policy.ts'
import { lockOrderRow } from '../orders/queries.ts'
import { readCashDay } from './cash.queries.ts'
import { requireHolder } from './drivers.queries.ts'
import { canManageCash } from './policy.ts'

/** @throws FORBIDDEN if a driver would hand over to himself or correct his own cash */
export async function writeCash(
  ctx: Ctx,
  driverId: number,
  { kind, amount, orderId, notes, key, date, at, vendorId }: Parsed<typeof write>['body'],
): Promise<CashDay> {
  const driver = await requireHolder(ctx, driverId, { vendorId, day: date ?? bahrainDate(ctx.now) })
  const isAdmin = canManageCash(ctx.actor, driver.vendorId)
  if (!isAdmin && (kind === 'handed-over' || kind === 'correction')) throw new AppError('FORBIDDEN')
  const order = orderId ? await lockOrderRow(ctx, orderId, managedBy(ctx.actor)) : null
  if (order && order.assignedDriverId !== driver.id) throw new AppError('ORDER_NOT_FOUND')
  if (kind === 'collected' && order?.status !== 'delivered') throw new AppError('ORDER_NOT_DELIVERED')
  const happenedAt = reportedTime(at, ctx.now, order?.createdAt)
  const reportedDay = bahrainDate(happenedAt)
  const line = {
    // Nothing is booked on a future day.
    day: date !== undefined && date < reportedDay ? date : reportedDay,
    amount: fromBhd(amount),
    notes: notes || null,
    happenedAt,
  }
  if (kind === 'collected' && order)
    await bookCollected(ctx, order, {
      ...line,
      driverId: driver.id,
      parts: [{ means: 'cash', amount: line.amount, key }],
    })
  else {
    const entry = {
      ...line,
      kind,
      vendorId: driver.vendorId,
      holder: 'driver' as const,
      holderId: driver.id,
      orderId: order?.id ?? null,
      key: driverKey(driver.id, key),
    }
    const request = { namesDay: date === line.day }
    if (await isOpenDay(ctx, driver.vendorId, line.day)) await post(ctx, entry, request)
    else if (!(await isPosted(ctx, entry, request))) throw new AppError('CASH_DAY_CLOSED')
  }
  if (order) await followPayments(ctx, order, { notes })
  return readCashDay(ctx, driver, date)
}
