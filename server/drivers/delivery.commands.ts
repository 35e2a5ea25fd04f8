import type { reportAttempt as attempt } from '@qatra/contract/drivers'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { allowsAction } from '@qatra/contract/orders/order-status'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { authorsOf, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { reportedTime } from '../lib/reported-time.ts'
import { managedBy } from '../orders/policy.ts'
import { lockOrderRow, type OrderRow } from '../orders/queries.ts'
import type { RecordDelivery } from '../orders/status/commands.ts'
import { orderAuditHistory } from '../orders/tables.ts'
import { bookCollected, isCollected } from './cash.commands.ts'
import { saveRun } from './run.commands.ts'
import { readAttempts } from './run.queries.ts'
import { deliveryAttempts } from './tables.ts'

/** What a delivery changes here; called by the status command (`orders/status`) in its transaction. */
export const recordDelivery: RecordDelivery = async (ctx, order, { driverId, collected, isSettled, ...report }) => {
  const isHeldByStaff = collected > 0 && isSettled && !(await isCollected(ctx, order.id))
  if (isHeldByStaff) await recordLateCash(ctx, order, collected)
  const isBooked =
    collected > 0 && !isHeldByStaff && (await bookCollected(ctx, order, driverId, { amount: collected, ...report }))
  await saveRun(ctx, driverId)
  return isBooked
}

/** Staff have reported the order as paid, so the driver's cash would be counted twice; the history shows it, once. */
async function recordLateCash(ctx: Ctx, order: OrderRow, amount: Fils): Promise<void> {
  const [last] = await ctx.db
    .select({ field: orderAuditHistory.fieldChanged })
    .from(orderAuditHistory)
    .where(
      and(eq(orderAuditHistory.orderId, order.id), inArray(orderAuditHistory.fieldChanged, ['status', 'lateCash'])),
    )
    .orderBy(desc(orderAuditHistory.id))
    .limit(1)
  if (last?.field === 'lateCash') return
  await emit(ctx, {
    name: 'order.cash-not-booked',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'lateCash', from: null, to: toBhd(amount) }],
  })
}

/** Records a failed delivery attempt. The order keeps its status; a job asks the customer for another day. */
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
    if (!allowsAction(order.status, 'driver', 'attempt')) throw new AppError('ORDER_CLOSED', { status: order.status })
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
      payload: { driverId: order.assignedDriverId, attempts: await countAttempts(ctx, order.id) },
    })
  }
  const attempts = await readAttempts(ctx, [order.id])
  return { orderId: order.id, status: order.status, attempts: attempts(order.id) }
}

/** Attempts on all days. */
const countAttempts = ({ db }: Ctx, orderId: string): Promise<number> =>
  db.$count(deliveryAttempts, eq(deliveryAttempts.orderId, orderId))
