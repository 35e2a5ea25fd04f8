import { bahrainDate } from '@qatra/contract/calendar'
import type { reportAttempt as attempt } from '@qatra/contract/drivers'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fromBhd } from '@qatra/contract/money'
import { paymentStatusOf } from '@qatra/contract/order-status'
import type { AdminOrderDetail, changeOrderStatus as change } from '@qatra/contract/orders-admin'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { authorsOf, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { requireAdminOrder } from '../orders/admin/order.queries.ts'
import { recordPayment } from '../orders/admin/payment.commands.ts'
import { moveByStaff } from '../orders/commands.ts'
import { isClosed, managedBy } from '../orders/policy.ts'
import { lockOrderRow, type OrderRow } from '../orders/queries.ts'
import { bookCollected } from './cash.commands.ts'
import { reportedTime } from './reported-time.ts'
import { planRun, readAttempts } from './run.queries.ts'
import { isCashDue, settle } from './settlement.ts'
import { deliveryAttempts, driverRuns } from './tables.ts'

/**
 * Changes an order's status for drivers, the office and bulk actions. Locks the order first, so that payment, cash and
 * history follow from its current state. Writes cash and run order in the same transaction. A repeated report books
 * nothing twice.
 */
export async function changeStatus(
  ctx: Ctx,
  typedId: string,
  { status, notes, version, ...report }: Omit<Input, 'cash'> & { cash?: Input['cash'] },
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (status === 'delivered') await deliver(ctx, order, { notes, version, ...report })
  else await moveByStaff(ctx, order, { to: status, notes, version })
  return requireAdminOrder(ctx, order.id)
}
type Input = Parsed<typeof change>['body']

async function deliver(ctx: Ctx, order: OrderRow, { cash, cashHeldBy, paymentStatus, ...move }: Omit<Input, 'status'>) {
  const doneAt = reportedTime(cash?.at, ctx.now, order.createdAt)
  const isAgain = order.status === 'delivered'
  // The office can report a delivery before the driver; the driver's later report still books the cash.
  if (isAgain && !cash) return
  const taken = cash && fromBhd(cash.amount)
  const isOwn = ctx.actor.user?.role === 'driver'
  // Only the office can record that it received the cash.
  if (isOwn && cashHeldBy === 'office') throw new AppError('FORBIDDEN')
  // A driver can only record payments of cash that is due.
  const isPaymentChange = paymentStatus !== undefined && paymentStatus !== paymentStatusOf(order.paymentStatus)
  if (isOwn && isPaymentChange && !isCashDue(order)) throw new AppError('FORBIDDEN')
  const settled = settle(order, { taken, cashHeldBy, paymentStatus }, isOwn)
  if (settled.collected > 0 && order.assignedDriverId === null) throw new AppError('ORDER_WITHOUT_DRIVER')
  if (!isAgain)
    await moveByStaff(ctx, order, { to: 'delivered', ...move, paymentStatus: settled.paymentStatus, doneAt })
  if (order.assignedDriverId === null) return
  if (settled.collected > 0) {
    const isBooked = await bookCollected(ctx, order, order.assignedDriverId, {
      amount: settled.collected,
      key: cash?.key,
      happenedAt: doneAt,
    })
    if (isBooked && isAgain) await recordPayment(ctx, order, { paymentStatus: settled.paymentStatus })
  }
  await keepRun(ctx, order.assignedDriverId)
}

/** Saves the planned stops once the day has begun; later orders are added to them. */
async function keepRun(ctx: Ctx, driverId: number): Promise<void> {
  const day = bahrainDate(ctx.now)
  const { ids } = await planRun(ctx, driverId, day)
  await ctx.db
    .insert(driverRuns)
    .values({ driverId, day, orderIds: ids, arrangedBy: null, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: [driverRuns.driverId, driverRuns.day],
      set: { orderIds: ids, updatedAt: ctx.now },
      setWhere: sql`${driverRuns.orderIds} <> excluded.order_ids`,
    })
}

/** Records a failed delivery attempt. The order keeps its status and the customer is not notified. */
export async function reportAttempt(
  ctx: Ctx,
  typedId: string,
  { reason, notes, key = `at:${ctx.now.toISOString()}`, at }: Parsed<typeof attempt>['body'],
): Promise<Output<typeof attempt>> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  const [known] = await ctx.db
    .select({ id: deliveryAttempts.id })
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.orderId, order.id), eq(deliveryAttempts.key, key)))
  if (!known) {
    if (isClosed(order.status)) throw new AppError('ORDER_CLOSED', { status: order.status })
    const { changedBy, onBehalfOf } = authorsOf(ctx)
    await ctx.db.insert(deliveryAttempts).values({
      orderId: order.id,
      driverId: order.assignedDriverId,
      reason,
      key,
      createdBy: changedBy,
      onBehalfOf,
      happenedAt: reportedTime(at, ctx.now, order.createdAt),
    })
    await emit(ctx, {
      name: 'order.attempted',
      action: 'attempted',
      resource: 'order',
      id: order.id,
      vendorId: order.vendorId,
      changes: [{ field: 'attempt', from: null, to: reason }],
      notes: notes || null,
      payload: { driverId: order.assignedDriverId },
    })
  }
  const attempts = await readAttempts(ctx, [order.id])
  return { orderId: order.id, status: order.status, attempts: attempts(order.id) }
}
