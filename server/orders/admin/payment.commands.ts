import type { Parsed } from '@qatra/contract/endpoint'
import type { AdminOrderDetail, changePayment as change } from '@qatra/contract/orders/admin'
import type { OrderField } from '@qatra/contract/orders/history'
import { canPaymentBecome, paymentStatusOf } from '@qatra/contract/orders/order-status'
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { managedBy } from '../policy.ts'
import { lockOrderRow, type OrderRow, requireVersion } from '../queries.ts'
import { receivedSql } from '../received.queries.ts'
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

const paymentSql = statement(
  'order-received',
  `select ${receivedSql('o')} as received,
     ${receivedSql(
       'o',
       `(cash.kind = 'collected' or cash.created_at <= (select max(h.changed_at) from order_audit_history h
          where h.order_id = o.id and h.changed_at >= o.created_at - interval '1 day'
            and h.field_changed = 'paymentStatus' and h.new_value = 'paid'))`,
     )} as "beforeCorrection"
   from orders o where o.id = $1`,
)

/** Fils received for an order that the caller has locked: in all, and without the corrections since it became paid. */
export async function readPayment({ db }: Pick<Ctx, 'db'>, orderId: string) {
  const [row] = await run<{ received: number; beforeCorrection: number }>(db, paymentSql, [orderId])
  return row ?? { received: 0, beforeCorrection: 0 }
}
