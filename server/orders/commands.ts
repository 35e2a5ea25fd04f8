import type { OrderField } from '@qatra/contract/order-history'
import {
  canBecome,
  canPaymentBecome,
  type OrderStatus,
  type PaymentStatus,
  paymentStatusOf,
} from '@qatra/contract/order-status'
import type { Order } from '@qatra/contract/orders'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { type Change, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import {
  abilities,
  assignableStatuses,
  canOverrideTransitions,
  hasErasedCustomer,
  isClosed,
  ownedBy,
} from './policy.ts'
import { lockOrderRow, type OrderRow, requireOrder } from './queries.ts'
import { orderKeys, orders } from './tables.ts'

type Moved = Partial<Pick<OrderRow, 'paymentStatus' | 'deliveredAt'>> & Pick<OrderRow, 'status'>

/** The only writer of `status`; of two concurrent moves one wins. */
export async function moveTo(ctx: Ctx, order: OrderRow, values: Moved, refusal: AppError): Promise<void> {
  const moved = await ctx.db
    .update(orders)
    .set({ ...values, version: sql`${orders.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(orders.id, order.id), eq(orders.status, order.status)))
    .returning({ id: orders.id })
  if (moved.length === 0) throw refusal
}

/** By the customer, within an hour by the database's clock. */
export async function cancelOrder(ctx: Ctx, typedId: string, reason: string | null | undefined): Promise<Order> {
  const scope = ownedBy(ctx.actor)
  const order = await lockOrderRow(ctx, typedId, scope)
  if (!abilities(ctx.actor, order, ctx.now).cancel) throw new AppError('CANCELLATION_CLOSED')
  await moveTo(ctx, order, { status: 'cancelled' }, new AppError('CANCELLATION_CLOSED'))
  await emit(ctx, {
    name: 'order.cancelled',
    action: 'updated',
    resource: 'order',
    id: order.id,
    changes: [{ field: 'status', from: order.status, to: 'cancelled' }],
    notes: reason || null,
    payload: { to: 'cancelled', version: order.version + 1 },
  })
  return requireOrder(ctx, order.id, scope)
}

interface Move {
  to: OrderStatus
  notes?: string | null | undefined
  version?: number | undefined
  /** New payment status, written with the status. */
  paymentStatus?: PaymentStatus | undefined
  /** Time of the change, if it is reported later. */
  doneAt?: Date | undefined
}

/**
 * Changes the status of an order that the caller has locked. Does nothing if the order has the status already.
 * @throws FORBIDDEN if the role can never set the status, ILLEGAL_TRANSITION from the current status, ORDER_CLOSED if it
 * would reopen an order of an erased customer
 */
export async function moveByStaff(
  ctx: Ctx,
  order: OrderRow,
  { to, notes, version, paymentStatus, doneAt = ctx.now }: Move,
): Promise<void> {
  const from = order.status
  if (from === to) return
  if (!assignableStatuses(ctx.actor, order).includes(to)) throw new AppError('FORBIDDEN')
  if (version !== undefined && version !== order.version)
    throw new AppError('VERSION_CONFLICT', { version: order.version })
  if (hasErasedCustomer(order) && !isClosed(to)) throw new AppError('ORDER_CLOSED', { status: from })
  const illegal = new AppError('ILLEGAL_TRANSITION', { from, to })
  if (!canBecome(from, to)) {
    if (!canOverrideTransitions(ctx.actor)) throw illegal
    if (!notes) throw noteMissing(ctx)
  }
  const changes: Change<OrderField>[] = [{ field: 'status', from, to }]
  const paid = paymentStatusOf(order.paymentStatus)
  if (paymentStatus !== undefined && paymentStatus !== paid) {
    if (!canPaymentBecome(paid, paymentStatus)) throw illegal
    changes.push({ field: 'paymentStatus', from: paid, to: paymentStatus })
  }
  const deliveredAt = to === 'delivered' ? doneAt : null
  await moveTo(ctx, order, { status: to, deliveredAt, ...(paymentStatus && { paymentStatus }) }, illegal)
  await emit(ctx, {
    name: 'order.status-changed',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes,
    notes: notes || null,
    payload: { to, version: order.version + 1 },
  })
}

const noteMissing = ({ actor }: Ctx) =>
  new AppError('INVALID_BODY', { fields: { notes: translatorFor(actor.lang)('validation.required') } })

/** Keys are kept as long as a client may repeat the request. */
export async function purgeOrderKeys({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await db.delete(orderKeys).where(lt(orderKeys.createdAt, sql`now() - interval '30 days'`))
}

const BATCH = 1_000

/** The trigger computes the text; in batches, so that rows are locked briefly. */
export async function fillInSearchText({ db }: Pick<Ctx, 'db'>): Promise<void> {
  for (;;) {
    const { rowCount } = await db.execute(sql`update orders set search_text = null where id in (
      select id from orders where search_text is null order by id limit ${BATCH} for update skip locked)`)
    if ((rowCount ?? 0) < BATCH) return
  }
}
