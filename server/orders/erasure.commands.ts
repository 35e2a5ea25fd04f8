import { openStatuses } from '@qatra/contract/order-status'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { emit } from '../platform/events.ts'
import { moveTo } from './commands.ts'
import { ERASED } from './policy.ts'
import { orderAuditHistory, orderItems, orderKeys, orders } from './tables.ts'

/**
 * What has not left yet is cancelled; office and driver are told by the event, and the history says why. The rows are
 * locked first: an order that is being shipped is seen as shipped, and one that is cancelled here cannot be shipped.
 * @throws ORDERS_ON_THE_WAY while a driver has an order: somebody stands at the door with it, and cash is due
 */
async function cancelOpenOrdersOf(ctx: Ctx, userId: number): Promise<void> {
  const open = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), inArray(orders.status, openStatuses)))
    .orderBy(asc(orders.id))
    .for('update')
  const shipped = open.filter(({ status }) => status === 'shipped')
  if (shipped.length > 0) throw new AppError('ORDERS_ON_THE_WAY', { orderIds: shipped.map(({ id }) => id) })
  for (const order of open) {
    await moveTo(ctx, order, { status: 'cancelled' }, new AppError('ILLEGAL_TRANSITION', { to: 'cancelled' }))
    await emit(ctx, {
      name: 'order.cancelled',
      action: 'updated',
      resource: 'order',
      id: order.id,
      vendorId: order.vendorId,
      changes: [
        { field: 'status', from: order.status, to: 'cancelled' },
        { field: 'erasure', from: null, to: 'account' },
      ],
      payload: { to: 'cancelled', version: order.version + 1 },
    })
  }
}

/**
 * Orders keep what was bought and what it cost; who bought it and where it went is replaced by a mark. For use in an
 * erasing transaction, in which notes of the history may be emptied.
 */
export async function forgetPersonInOrders(ctx: Ctx, userId: number): Promise<void> {
  await cancelOpenOrdersOf(ctx, userId)
  const ofUser = eq(orders.userId, userId)
  await ctx.db
    .update(orders)
    .set({
      customerName: ERASED,
      phone: ERASED,
      address: ERASED,
      addressParts: null,
      instructions: null,
      lat: 0,
      lng: 0,
      syncErrors: null,
      updatedAt: ctx.now,
    })
    .where(ofUser)
  const orderIds = ctx.db.select({ id: orders.id }).from(orders).where(ofUser)
  await ctx.db
    .update(orderItems)
    .set({ priceReason: null })
    .where(and(inArray(orderItems.orderId, orderIds), isNotNull(orderItems.priceReason)))
  await ctx.db
    .update(orderAuditHistory)
    .set({ notes: null })
    .where(and(inArray(orderAuditHistory.orderId, orderIds), isNotNull(orderAuditHistory.notes)))
  await ctx.db.delete(orderKeys).where(eq(orderKeys.userId, userId))
}
