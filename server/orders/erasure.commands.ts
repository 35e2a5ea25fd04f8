import { openStatuses } from '@qatra/contract/order-status'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { moveTo } from './commands.ts'
import { ERASED } from './policy.ts'
import { orderAuditHistory, orderItems, orderKeys, orders } from './tables.ts'

/**
 * Cancels open orders that are not shipped; the event notifies admin and driver, the history records the reason. Locks
 * the rows first: a concurrent shipment is either seen here or refused.
 * @throws ORDERS_ON_THE_WAY if an order is shipped, since its delivery needs the address and cash is due
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
 * Replaces name, phone and address in the person's orders by a placeholder; items and amounts stay. Needs an erasing
 * transaction (`qatra.erasing`), which may clear notes in the history.
 */
export async function erasePersonInOrders(ctx: Ctx, userId: number): Promise<void> {
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
