import { bahrainDate } from '@qatra/contract/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { reportAttempt as attempt } from '@qatra/contract/drivers'
import { type Fils, fromBhd } from '@qatra/contract/money'
import type { changeOrderStatus as change, OfficeOrderDetail } from '@qatra/contract/orders-office'
import { and, eq, sql } from 'drizzle-orm'
import { changeOrderStatus } from '../orders/commands.ts'
import { isClosed, managedBy } from '../orders/policy.ts'
import { type OrderRow, requireOrderRow } from '../orders/queries.ts'
import type { Ctx } from '../platform/context.ts'
import { run, statement } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { authorsOf, emit } from '../platform/events.ts'
import { writeEntry } from './cash.commands.ts'
import { planRun, readAttempts } from './run.queries.ts'
import { deliveryAttempts, driverRuns } from './tables.ts'
import { momentOf } from './told.ts'

const lockSql = statement('order-lock', 'select from orders where id = $1 for update')

/** The order, held until the transaction ends: of two devices with the same stop the second sees what the first did. */
async function lockOrder(ctx: Ctx, typedId: string): Promise<OrderRow> {
  const { id } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  await run(ctx.db, lockSql, [id])
  return requireOrderRow(ctx, id, managedBy(ctx.actor))
}

/**
 * A change of status by staff. A delivery brings its cash along, in the same transaction; told again, by the same device
 * or by another one, both stay as they are.
 */
export async function reportStatus(
  ctx: Ctx,
  typedId: string,
  { cash, ...wish }: Parsed<typeof change>['body'],
): Promise<OfficeOrderDetail> {
  if (wish.status !== 'delivered') return changeOrderStatus(ctx, typedId, wish)
  const order = await lockOrder(ctx, typedId)
  const happenedAt = momentOf(cash?.at, ctx.now, order.createdAt)
  const taken = takenFor(ctx, order, { cash, ...wish })
  const isShort = taken !== null && taken < order.total && order.paymentStatus !== 'paid'
  const told = { ...wish, ...(isShort && wish.paymentStatus === undefined && { paymentStatus: 'unpaid' as const }) }
  const answer = await changeOrderStatus(ctx, order.id, told, happenedAt)
  if (order.assignedDriverId === null) return answer
  if (taken !== null && taken > 0)
    await writeEntry(ctx, {
      vendorId: order.vendorId,
      driverId: order.assignedDriverId,
      day: bahrainDate(happenedAt),
      kind: 'collected',
      amount: taken,
      orderId: order.id,
      notes: null,
      key: cash?.key ?? `delivered:${order.id}`,
      happenedAt,
    })
  await keepRun(ctx, order.assignedDriverId)
  return answer
}

/** Fils in the driver's hand; null where nobody said that there are any. */
function takenFor(ctx: Ctx, order: OrderRow, { cash, paymentStatus }: Parsed<typeof change>['body']): Fils | null {
  if (cash) return fromBhd(cash.amount)
  const isDue = order.paymentMethod === 'cash' && order.paymentStatus !== 'paid' && order.status !== 'delivered'
  const isHis = ctx.actor.user?.role === 'driver'
  const isPaid = paymentStatus === undefined || paymentStatus === 'paid'
  return isHis && isDue && isPaid ? (order.total as Fils) : null // money columns hold fils
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
  const order = await lockOrder(ctx, typedId)
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
