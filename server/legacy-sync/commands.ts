import { randomBytes, randomInt } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { recordSync } from '../orders/commands.ts'
import { orders } from '../orders/tables.ts'
import { readOrderBody } from './order-body.queries.ts'
import type { LegacyOutcome } from './outcome.ts'
import { hasUnresolved } from './queries.ts'
import { legacyOutbox } from './tables.ts'

type OnDb = Pick<Ctx, 'db'>

/** About fourteen hours in total, which covers an outage overnight. */
const MAX_ATTEMPTS = 20
const FIRST_WAIT = 30
const MAX_WAIT = 3_600
/** Longer than any call; afterwards the worker counts as stopped. */
const LEASE_SECONDS = 60

const dueSql = statement(
  'legacy-due',
  `insert into legacy_outbox (order_id, order_version, event) select id, version, $2 from orders
   where id = $1 and not is_test
   on conflict (order_id, order_version) do nothing returning id`,
)
// A version that may have arrived is retried before the new one.
const reopenSql = statement(
  'legacy-reopen',
  `update legacy_outbox set status = 'pending', attempts = 0, next_attempt_at = now(), updated_at = now()
   where order_id = $1 and status = 'failed' and body is not null`,
)

/** Records a change of the order for the older system; once per version. */
export async function addToOutbox({ db }: OnDb, orderId: string, event: string): Promise<void> {
  const added = await run(db, dueSql, [orderId, event])
  if (added.length === 0) return
  await run(db, reopenSql, [orderId])
  await recordSync({ db }, orderId, { status: 'pending' })
}

/** A request body and its idempotency key. Another body needs another key, even for the same change. */
interface LegacyRequest {
  key: string
  words: unknown
}

export interface Claim {
  id: number
  orderId: string
  request: LegacyRequest
  known: string | null
  attempts: number
  claimedAt: Date
  /** An earlier try may have arrived. */
  wasSent: boolean
}

interface Next {
  id: number
  order_version: number
  event: string
  status: string
  body: LegacyRequest | null
  is_due: boolean
  known: string | null
}

// Rounding to milliseconds can put a due time up to one millisecond ahead.
// The oldest unresolved change of the order. Its row lock covers the order, so there is one call at a time.
const nextSql = statement(
  'legacy-next',
  `select b.id, b.order_version, b.event, b.status, b.body, o.legacy_bag_id as known,
     case b.status when 'pending' then b.next_attempt_at <= now() + interval '1 millisecond'
       when 'sending' then b.claimed_at < now() - ${LEASE_SECONDS} * interval '1 second' else false end as is_due
   from legacy_outbox b join orders o on o.id = b.order_id
   where b.order_id = $1 and (b.status in ('pending', 'sending') or (b.status = 'failed' and b.body is not null))
   order by b.order_version limit 1 for update of b`,
)
// Of several unsent changes only the newest is sent.
const newestSql = statement(
  'legacy-newest',
  `select id, order_version, event from legacy_outbox where order_id = $1 and status = 'pending' and body is null
   order by order_version desc limit 1 for update`,
)
const supersedeSql = statement(
  'legacy-supersede',
  `delete from legacy_outbox where order_id = $1 and status = 'pending' and body is null and order_version < $2`,
)
const claimSql = statement(
  'legacy-claim',
  `update legacy_outbox set status = 'sending', claimed_at = clock_timestamp(), attempts = attempts + 1, body = $2,
     updated_at = now() where id = $1 returning attempts, claimed_at, body`,
)

/** Claims an order for syncing; null if nothing is due or another worker has it. Needs its own transaction. */
export async function claimNext({ db }: OnDb, orderId: string): Promise<Claim | null> {
  const [oldest] = await run<Next>(db, nextSql, [orderId])
  if (!oldest?.is_due) return null
  let next: Pick<Next, 'id' | 'order_version' | 'event'> = oldest
  if (oldest.body === null) {
    const [newest] = await run<Next>(db, newestSql, [orderId])
    if (newest && oldest.status === 'pending') next = newest
    await run(db, supersedeSql, [orderId, next.order_version])
  }
  const request = oldest.body ?? {
    key: `${orderId}:${next.order_version}:${randomBytes(4).toString('hex')}`,
    words: await readOrderBody({ db }, orderId, next.event),
  }
  const [claimed] = await run<{ attempts: number; claimed_at: Date; body: LegacyRequest }>(db, claimSql, [
    next.id,
    JSON.stringify(request),
  ])
  if (!claimed) throw new Error('The row was locked')
  return {
    id: next.id,
    orderId,
    // Read back from jsonb, which reorders the keys, so that a repeated request is byte-identical.
    request: claimed.body,
    known: oldest.known,
    attempts: claimed.attempts,
    claimedAt: claimed.claimed_at,
    wasSent: oldest.body !== null,
  }
}

/** Exponential backoff with jitter. */
const waitAfter = (attempts: number) =>
  Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (attempts - 1)) * (0.9 + randomInt(200) / 1000)

const CONTRADICTION = 'It answers with another number than before'

/** Stores the result of a call; does nothing if another worker has taken over. */
export async function settle({ db }: OnDb, claim: Claim, result: LegacyOutcome): Promise<void> {
  const outcome = await withoutContradiction({ db }, claim, result)
  const isRetried =
    (outcome.kind === 'unknown' || (outcome.kind === 'unreached' && outcome.mayRetry)) && claim.attempts < MAX_ATTEMPTS
  // The outcome is certain.
  const isCertain =
    outcome.kind === 'synced' || outcome.kind === 'refused' || (outcome.kind === 'unreached' && !claim.wasSent)
  const status = outcome.kind === 'synced' ? 'done' : isRetried ? 'pending' : 'failed'
  const wait = ('retryAfter' in outcome && outcome.retryAfter) || waitAfter(claim.attempts)
  const held = await db
    .update(legacyOutbox)
    .set({
      status,
      ...(isCertain ? { body: null } : {}),
      nextAttemptAt: sql`now() + ${wait} * interval '1 second'`,
      lastStatus: outcome.status,
      lastError: outcome.kind === 'synced' ? null : outcome.message,
      updatedAt: sql`now()`,
      ...(outcome.kind === 'synced'
        ? { doneAt: sql`now()`, answer: { bagId: outcome.bagId, transactionId: outcome.transactionId } }
        : {}),
    })
    .where(
      and(
        eq(legacyOutbox.id, claim.id),
        eq(legacyOutbox.status, 'sending'),
        eq(legacyOutbox.claimedAt, claim.claimedAt),
      ),
    )
    .returning({ id: legacyOutbox.id })
  if (held.length === 0) return
  const isOpen = await hasUnresolved({ db }, claim.orderId)
  if (outcome.kind === 'synced') {
    const { bagId, transactionId } = outcome
    return recordSync({ db }, claim.orderId, {
      status: isOpen ? 'pending' : 'synced',
      bagId,
      transactionId,
      isReported: true,
    })
  }
  const error = { at: new Date().toISOString(), status: outcome.status, message: outcome.message }
  await recordSync({ db }, claim.orderId, { status: isOpen ? 'pending' : 'failed', error })
}

/** An order has one id in the older system, which never changes. */
async function withoutContradiction({ db }: OnDb, claim: Claim, outcome: LegacyOutcome): Promise<LegacyOutcome> {
  if (outcome.kind !== 'synced') return outcome
  const [order] = await db
    .select({ bagId: orders.legacyBagId })
    .from(orders)
    .where(eq(orders.id, claim.orderId))
    .for('update')
  if (!order?.bagId || order.bagId === outcome.bagId) return outcome
  return { kind: 'refused', status: outcome.status, message: CONTRADICTION }
}

const eraseSql = statement(
  'legacy-forget',
  `update legacy_outbox set last_error = null,
     body = jsonb_set(body, '{words}', (body -> 'words') || '{"customerName": null, "phone": null,
       "address": null, "instructions": null, "mapCoordinates": null}')
   where order_id in (select id from orders where user_id = $1)`,
)

/**
 * Removes an erased person from pending requests and from stored errors, which can repeat the request. Keeps the
 * idempotency key, so that the older system creates nothing twice.
 */
export async function eraseRequestsOf({ db }: OnDb, userId: number): Promise<void> {
  await run(db, eraseSql, [userId])
}
