import { bahrainDate } from '@qatra/contract/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { reportAttempt as attempt } from '@qatra/contract/drivers'
import { fromBhd } from '@qatra/contract/money'
import { paymentStatusOf } from '@qatra/contract/order-status'
import type { changeOrderStatus as change, OfficeOrderDetail } from '@qatra/contract/orders-office'
import { and, eq, sql } from 'drizzle-orm'
import { moveByStaff } from '../orders/commands.ts'
import { requireOfficeOrder } from '../orders/office/order.queries.ts'
import { recordPayment } from '../orders/office/payment.commands.ts'
import { isClosed, managedBy } from '../orders/policy.ts'
import { lockOrderRow, type OrderRow } from '../orders/queries.ts'
import type { Ctx } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { authorsOf, emit } from '../platform/events.ts'
import { bookCollected } from './cash.commands.ts'
import { isCashDue, settle } from './settlement.ts'
import { planRun, readAttempts } from './run.queries.ts'
import { deliveryAttempts, driverRuns } from './tables.ts'
import { momentOf } from './told.ts'

/**
 * The change of a status by staff: a driver's own, the office's, and each of several. The order is locked first, so that
 * payment, cash and history are decided on what stands then. Cash and run order follow in the same transaction. Told
 * again, by the same device or by another one, nothing is booked twice.
 */
export async function changeStatus(
  ctx: Ctx,
  typedId: string,
  { status, notes, version, ...told }: Omit<Wish, 'cash'> & { cash?: Wish['cash'] },
): Promise<OfficeOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (status === 'delivered') await deliver(ctx, order, { notes, version, ...told })
  else await moveByStaff(ctx, order, { to: status, notes, version })
  return requireOfficeOrder(ctx, order.id)
}
type Wish = Parsed<typeof change>['body']

async function deliver(ctx: Ctx, order: OrderRow, { cash, cashHeldBy, paymentStatus, ...move }: Omit<Wish, 'status'>) {
  const doneAt = momentOf(cash?.at, ctx.now, order.createdAt)
  const isAgain = order.status === 'delivered'
  // A delivery that the office told first says nothing of the cash; the driver's own report still does.
  if (isAgain && !cash) return
  const taken = cash && fromBhd(cash.amount)
  const isOwn = ctx.actor.user?.role === 'driver'
  // Cash is received by the office: nobody says that for it.
  if (isOwn && cashHeldBy === 'office') throw new AppError('FORBIDDEN')
  // Any other payment is the office's to record.
  const isNews = paymentStatus !== undefined && paymentStatus !== paymentStatusOf(order.paymentStatus)
  if (isOwn && isNews && !isCashDue(order)) throw new AppError('FORBIDDEN')
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

/** Once the day has begun, its order stays: what comes later joins it. */
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

/** The order keeps its status, and its customer hears nothing. */
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
      happenedAt: momentOf(at, ctx.now, order.createdAt),
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
