import type { Output } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/money'
import type { placeOrder as place } from '@qatra/contract/orders'
import { areaAt } from '../../areas/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { isConflict, run, statement } from '../../database/db.ts'
import { queuesOf, wakeAfterCommit } from '../../jobs/domain-events.ts'
import { AppError, retryLater } from '../../lib/errors.ts'
import { cancellableUntil } from '../policy.ts'
import {
  fingerprintOf,
  type Placing,
  placeOfAccountSql,
  placeSql,
  placingValues,
  type Written,
} from './place-order.sql.ts'
import { requirePlaceable } from './rules.ts'
import { readLook } from './snapshot.ts'

type Placed = Output<typeof place>

/** Tries that another change outran: more than a few mean that somebody changes the cart without end. */
const MOST_TRIES = 8

/** Orders that one customer places; a shop's party needs a few, a script many. */
export const MOST_AN_HOUR = 20

const placedSql = statement(
  'order-placed',
  'select total, vendor_id, promised_date, created_at from orders where id = $1',
)

/**
 * Places the cart as an order. `first` is what the statement that found the session wrote, which nearly always is the
 * order; else it is looked at what is in the way, and tried again where nothing is any more. An idempotency key gives
 * its first order again and is bound by a placed order only.
 * @throws TOO_MANY_REQUESTS after `mostAnHour` orders
 */
export async function placeOrder(ctx: Ctx, placing: Placing, first: Written | null): Promise<Placed> {
  const { catalogue, body } = placing
  let written = first
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (written?.placed_id) return tell(ctx, written.placed_id, written)
    const look = await readLook(ctx, placing)
    if (look.known_order_id !== null) {
      if (look.known_fingerprint !== fingerprintOf(body)) throw new AppError('IDEMPOTENCY_KEY_REUSED')
      return readPlaced(ctx, look.known_order_id)
    }
    // Each order changes the cart, so orders at the same time are counted by the look after.
    if (look.wait_seconds !== null) throw retryLater('TOO_MANY_REQUESTS', Math.max(1, Math.ceil(look.wait_seconds)))
    await requirePlaceable(ctx, catalogue, { body, look, covering: areaAt(catalogue, body.mapCoordinates) })
    written = await writeAt(ctx, placing, look.now)
  }
  throw new AppError('UNAVAILABLE')
}

/**
 * Null where the same key placed an order from another cart a moment ago, which the next look finds, or where the
 * statement lost against somebody's sign-in, which changes the user before the cart, and is worth another try.
 */
async function writeAt(ctx: Ctx, placing: Placing, now: Date): Promise<Written | null> {
  try {
    const values = placingValues(placing, now)
    const { sessionId } = ctx.client
    const [written] =
      sessionId === null
        ? await run<Written>(ctx.db, placeOfAccountSql, [userOf(ctx).id, ...values])
        : await run<Written>(ctx.db, placeSql, [sessionId, ...values])
    return written ?? null
  } catch (error) {
    if (isConflict(error)) return null
    throw error
  }
}

function tell(ctx: Ctx, id: string, written: Written): Placed {
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
