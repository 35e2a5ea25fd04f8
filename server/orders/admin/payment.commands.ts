import type { Parsed } from '@qatra/contract/endpoint'
import type { AdminOrderDetail, changePayment as change } from '@qatra/contract/orders/admin'
import type { OrderField } from '@qatra/contract/orders/history'
import { canPaymentBecome, paymentStatusOf } from '@qatra/contract/orders/order-status'
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { managedBy } from '../policy.ts'
import { lockOrderRow, type OrderRow, requireVersion } from '../queries.ts'
import { orders } from '../tables.ts'
import { requireAdminOrder } from './order.queries.ts'

/** Records an order's payment; the current values change nothing. */
export async function changePayment(
  ctx: Ctx,
  typedId: string,
  { paymentMethod, paymentStatus, notes, version }: Parsed<typeof change>['body'],
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  requireVersion(order, version)
  await recordPayment(ctx, order, { paymentMethod, paymentStatus, notes })
  return requireAdminOrder(ctx, order.id)
}

/** Changes the payment of an order that the caller has locked. */
export async function recordPayment(
  ctx: Ctx,
  order: OrderRow,
  { paymentMethod, paymentStatus, notes }: Omit<Parsed<typeof change>['body'], 'version'>,
): Promise<void> {
  const from = paymentStatusOf(order.paymentStatus)
  const changes: Change<OrderField>[] = []
  if (paymentMethod !== undefined && paymentMethod !== order.paymentMethod)
    changes.push({ field: 'paymentMethod', from: order.paymentMethod, to: paymentMethod })
  if (paymentStatus !== undefined && paymentStatus !== from) {
    if (!canPaymentBecome(from, paymentStatus)) throw new AppError('ILLEGAL_TRANSITION', { from, to: paymentStatus })
    changes.push({ field: 'paymentStatus', from, to: paymentStatus })
  }
  if (changes.length === 0) return
  await ctx.db
    .update(orders)
    .set({
      ...(paymentMethod && { paymentMethod }),
      ...(paymentStatus && { paymentStatus }),
      // A payment that was recorded by mistake.
      ...(from === 'paid' && paymentStatus && { paidToOffice: 0 }),
      version: sql`${orders.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(eq(orders.id, order.id))
  await emit(ctx, {
    name: 'order.payment-changed',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes,
    notes: notes || null,
    payload: { version: order.version + 1 },
  })
}
