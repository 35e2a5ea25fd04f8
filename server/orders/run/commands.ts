import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { arrangeRun as arrange } from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import { and, eq, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { planRun } from './queries.ts'
import { driverRuns } from './tables.ts'

/** Saves the planned stops once the day has begun; later orders are added to them. */
export async function saveRun(ctx: Ctx, driverId: number): Promise<void> {
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

/** Unnamed stops follow the named ones in their current order. @throws STOP_UNKNOWN if an order is not on this run */
export async function arrangeRun(
  ctx: Ctx,
  driverId: number,
  { date: day = bahrainDate(ctx.now), orderIds }: Parsed<typeof arrange>['body'],
): Promise<void> {
  if (orderIds === null) {
    await ctx.db.delete(driverRuns).where(and(eq(driverRuns.driverId, driverId), eq(driverRuns.day, day)))
    return
  }
  const { ids } = await planRun(ctx, driverId, day)
  const wanted = [...new Set(orderIds.map((typed) => (ids.includes(typed) ? typed : (parseOrderId(typed) ?? typed))))]
  const unknown = wanted.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw new AppError('STOP_UNKNOWN', { orderId: unknown })
  const values = {
    orderIds: [...wanted, ...ids.filter((id) => !wanted.includes(id))],
    arrangedBy: userOf(ctx).id,
    updatedAt: ctx.now,
  }
  await ctx.db
    .insert(driverRuns)
    .values({ driverId, day, ...values })
    .onConflictDoUpdate({ target: [driverRuns.driverId, driverRuns.day], set: values })
}
