import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { cancelOrdersBeforeErasure } from './status/commands.ts'
import { ERASED } from './status/rules.ts'
import { orderAuditHistory, orderItems, orderKeys, orders } from './tables.ts'

/**
 * Replaces name, phone and address in the person's orders by a placeholder; items and amounts stay. Needs an erasing
 * transaction (`qatra.erasing`), which may clear notes in the history.
 */
export async function erasePersonInOrders(ctx: Ctx, userId: number): Promise<void> {
  await cancelOrdersBeforeErasure(ctx, userId)
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
