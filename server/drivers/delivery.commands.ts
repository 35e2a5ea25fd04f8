import type { reportAttempt as attempt } from '@qatra/contract/drivers'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { allowsAction } from '@qatra/contract/orders/order-status'
import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { authorsOf, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { reportedTime } from '../lib/reported-time.ts'
import { managedBy } from '../orders/policy.ts'
import { lockOrderRow } from '../orders/queries.ts'
import { readAttempts } from './run.queries.ts'
import { deliveryAttempts } from './tables.ts'

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
