import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { emit } from '../platform/events.ts'
import { moveTo } from './commands.ts'
import { orderAuditHistory, orderItems, orderKeys, orders } from './tables.ts'

const GONE = '—'

/**
 * Orders keep what was bought and what it cost; who bought it and where it went is replaced by a mark. What has not
 * left yet is cancelled. For use in an erasing transaction, in which notes of the history may be emptied.
 */
export async function forgetPersonInOrders(ctx: Ctx, userId: number): Promise<void> {
  const ofUser = eq(orders.userId, userId)
  const waiting = await ctx.db
    .select()
    .from(orders)
    .where(and(ofUser, inArray(orders.status, ['new', 'in-progress'])))
    .for('update')
  for (const order of waiting) {
    await moveTo(ctx, order, { status: 'cancelled' }, new AppError('ILLEGAL_TRANSITION', { to: 'cancelled' }))
    await emit(ctx, {
      name: 'order.cancelled',
      action: 'updated',
      resource: 'order',
      id: order.id,
      vendorId: order.vendorId,
      changes: [{ field: 'status', from: order.status, to: 'cancelled' }],
      payload: { from: order.status, to: 'cancelled' },
    })
  }
  await ctx.db
    .update(orders)
    .set({
      customerName: GONE,
      phone: GONE,
      address: GONE,
      addressParts: null,
      instructions: null,
      lat: 0,
      lng: 0,
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
