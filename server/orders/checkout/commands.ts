import type { Output } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/money'
import type { placeOrder as place } from '@qatra/contract/orders'
import { areaAt } from '../../areas/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { isConflict, run, statement } from '../../database/db.ts'
import { queuesOf, wakeAfterCommit } from '../../jobs/domain-events.ts'
import { AppError, retryLater } from '../../lib/errors.ts'
import { cancellableUntil } from '../policy.ts'
import { fingerprintOf, type Placing, placeSql, placingValues, type Written } from './place-order.sql.ts'
import { requirePlaceable } from './rules.ts'
import { readSnapshot } from './snapshot.ts'

type Placed = Output<typeof place>

/** Attempts that a concurrent change made fail; more mean that the cart is changed continuously. */
const MAX_TRIES = 8

/** Orders per customer and hour; far more than a person needs. */
export const MAX_ORDERS_PER_HOUR = 20

const placedSql = statement(
  'order-placed',
  'select total, vendor_id, promised_date, created_at from orders where id = $1',
)

/**
 * Places the cart as an order. If the statement writes nothing, finds the reason, or retries if there is none any more.
 * An idempotency key returns its first order and is bound only by a placed one.
 * @throws TOO_MANY_REQUESTS after `maxPerHour` orders
 */
export async function placeOrder(ctx: Ctx, placing: Placing): Promise<Placed> {
  const { catalogue, body } = placing
  let written = await writeAt(ctx, placing, ctx.now)
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (written) return emitPlaced(ctx, written.placed_id, written)
    const snapshot = await readSnapshot(ctx, placing)
    if (snapshot.known_order_id !== null) {
      if (snapshot.known_fingerprint !== fingerprintOf(body)) throw new AppError('IDEMPOTENCY_KEY_REUSED')
      return readPlaced(ctx, snapshot.known_order_id)
    }
    // Every order changes the cart, so concurrent orders are counted by the next snapshot.
    if (snapshot.wait_seconds !== null)
      throw retryLater('TOO_MANY_REQUESTS', Math.max(1, Math.ceil(snapshot.wait_seconds)))
    await requirePlaceable(ctx, catalogue, { body, snapshot, covering: areaAt(catalogue, body.mapCoordinates) })
    written = await writeAt(ctx, placing, snapshot.now)
  }
  throw new AppError('UNAVAILABLE')
}

/**
 * Null if the same key placed an order from another cart concurrently, which the next snapshot finds, or if the
 * statement lost a deadlock against a sign-in, which locks user before cart; then it is retried.
 */
async function writeAt(ctx: Ctx, placing: Placing, now: Date): Promise<Written | null> {
  try {
    const values = placingValues(placing, now)
    const by = [ctx.actor.impersonator?.id ?? null]
    const [written] = await run<Written>(ctx.db, placeSql, [userOf(ctx).id, ...values, ...by])
    return written ?? null
  } catch (error) {
    if (isConflict(error)) return null
    throw error
  }
}

function emitPlaced(ctx: Ctx, id: string, written: Written): Placed {
  wakeAfterCommit(ctx, queuesOf('order.placed'))
  return answer({
    id,
    total: written.placed_total,
    vendorId: written.placed_vendor_id,
    promisedDate: written.placed_promised_date,
    createdAt: written.placed_at,
  })
}

async function readPlaced(ctx: Ctx, id: string): Promise<Placed> {
  const [row] = await run<{ total: Fils; vendor_id: number; promised_date: string; created_at: Date }>(
    ctx.db,
    placedSql,
    [id],
  )
  if (!row) throw new AppError('ORDER_NOT_FOUND')
  const { total, vendor_id: vendorId, promised_date: promisedDate, created_at: createdAt } = row
  return answer({ id, total, vendorId, promisedDate, createdAt })
}

const answer = (order: {
  id: string
  total: Fils
  vendorId: number
  promisedDate: string
  createdAt: Date
}): Placed => ({
  ...order,
  total: toBhd(order.total),
  createdAt: order.createdAt.toISOString(),
  cancellableUntil: cancellableUntil(order.createdAt).toISOString(),
})
