import type { Parsed } from '@qatra/contract/endpoint'
import { MOST_SYNC_ERRORS, type SyncStatus } from '@qatra/contract/legacy'
import { noBuyer } from '@qatra/contract/orders/buyer'
import { type Rating, ratedParts } from '@qatra/contract/orders/order-status'
import type { Order, rateOrder as rate, SyncError } from '@qatra/contract/orders/orders'
import type { Referral } from '@qatra/contract/users/referral'
import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { ownedBy } from './policy.ts'
import { lockOrderRow, requireOrder } from './queries.ts'
import { cancelOrdersBeforeErasure } from './status/commands.ts'
import { ERASED, isRatable } from './status/rules.ts'
import { orderRatings, orders } from './tables.ts'

export interface Synced {
  status: SyncStatus
  bagId?: string | null
  transactionId?: string | null
  /** Reported to the older system by this call. */
  isReported?: boolean
  error?: SyncError
}

// Keeps the first ids that the older system assigned. Does not change the order's version, since nothing visible
// changed.
const recordSql = statement(
  'order-sync',
  `update orders set sync_status = $2,
     legacy_bag_id = coalesce(legacy_bag_id, $3), legacy_transaction_id = coalesce(legacy_transaction_id, $4),
     last_sync_at = case when $5::boolean then now() else last_sync_at end,
     sync_errors = case when $6::jsonb is null then sync_errors else (
       select jsonb_agg(e order by n)::text from (
         select e, n from jsonb_array_elements(coalesce(sync_errors::jsonb, '[]') || $6::jsonb) with ordinality as t (e, n)
         order by n desc limit ${MOST_SYNC_ERRORS}) newest) end
   where id = $1`,
)

/** Stores an order's state in the older system. */
export async function recordSync({ db }: Pick<Ctx, 'db'>, id: string, synced: Synced): Promise<void> {
  const { status, bagId = null, transactionId = null, isReported = false, error } = synced
  const entry = error ? JSON.stringify([error]) : null
  await run(db, recordSql, [id, status, bagId, transactionId, isReported, entry])
}

const pendingSql = statement('order-sync-pending', `update orders set sync_status = 'pending' where id = any($1)`)

/** Marks orders to be reported again. */
export async function markUnsynced({ db }: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<void> {
  await run(db, pendingSql, [ids])
}

/** Stores the ad that led to an order, once. */
export async function saveOrderReferral({ db }: Pick<Ctx, 'db'>, orderId: string, referral: Referral): Promise<void> {
  await db
    .update(orders)
    .set({ referral })
    .where(and(eq(orders.id, orderId), isNull(orders.referral)))
}

/** Removes what identifies the person from their orders; items, amounts and days stay. Open orders are cancelled first. */
export async function eraseInOrders(ctx: Ctx, userId: number): Promise<void> {
  await cancelOrdersBeforeErasure(ctx, userId)
  await ctx.db
    .update(orders)
    .set({
      customerName: ERASED,
      referral: null,
      phone: ERASED,
      address: ERASED,
      addressParts: null,
      instructions: null,
      receiverName: null,
      receiverPhone: null,
      ...noBuyer,
      lat: 0,
      lng: 0,
      pinSource: null,
      syncErrors: null,
      updatedAt: ctx.now,
    })
    .where(eq(orders.userId, userId))
}

/** Keeps what the customer says of a delivery, with its vendor and driver. Parts that are not given stay. */
export async function rateOrder(ctx: Ctx, typedId: string, given: Parsed<typeof rate>['body']): Promise<Order> {
  const { db, now } = ctx
  const order = await lockOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (!isRatable(ctx.actor, order, now)) throw new AppError('RATING_CLOSED')
  const { id, vendorId, assignedDriverId: driverId } = order
  const [stored] = await db.select().from(orderRatings).where(eq(orderRatings.orderId, id))
  const changes = ratedParts.flatMap((part) => {
    const [from, to]: (Rating | null)[] = [stored?.[part] ?? null, given[part] ?? null]
    return to === null || to === from ? [] : [{ field: `${part}Rating` as const, from, to }]
  })
  if (changes.length > 0) {
    const isFirstBad = !stored?.firstBadAt && changes.some(({ to }) => to === 'bad')
    const rated = { ...given, driverId, ratedAt: now, ...(isFirstBad && { firstBadAt: now }) }
    await db
      .insert(orderRatings)
      .values({ orderId: id, vendorId, ...rated })
      .onConflictDoUpdate({ target: orderRatings.orderId, set: rated })
    await emit(ctx, {
      name: 'order.rated',
      action: 'updated',
      resource: 'order',
      id,
      vendorId,
      changes,
      payload: { isFirstBad },
    })
  }
  return requireOrder(ctx, id)
}
