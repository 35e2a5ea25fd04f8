import { createHmac } from 'node:crypto'
import { HOOK_FAILING_DAYS } from '@qatra/contract/outgoing-webhooks'
import type { Config } from '../config/config.ts'
import { type Db, run, statement } from '../database/db.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { emit } from '../jobs/domain-events.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { type Network, safePost } from '../lib/safe-fetch.ts'
import { keyFor, unseal } from '../lib/secrets.ts'

const TIMEOUT_MS = 10_000
/** Messages claimed at once, and sent at once. */
const CLAIMED = 24
const SENT_AT_ONCE = 8
/** A job ends after this time, so that the endpoints take turns. */
const TURN_MS = 15_000
/** Longer than any turn; afterwards the worker counts as stopped. */
const LEASE_SECONDS = 120
/** Of one message, over about three days. */
const MAX_ATTEMPTS = 30
const FIRST_WAIT_SECONDS = 1
const SOON_SECONDS = 5
const MAX_WAIT_SECONDS = 4 * 3_600

export const hookKey = (secret: Buffer) => keyFor(secret, 'secrets of webhooks')
export const HOOK_SECRET_PREFIX = 'whsec_'

/** Headers of Standard Webhooks: HMAC-SHA-256 over id, time and body, under the bytes after the prefix of the secret. */
export function signedHeaders(secret: string, id: string, body: Buffer, at: Date) {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.slice(HOOK_SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')
  return {
    'content-type': 'application/json',
    'content-length': body.length,
    'user-agent': 'Qatra',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  }
}

interface Claimed {
  id: number
  type: string
  data: object
  attempts: number
  createdAt: Date
  claimedAt: Date
}

// The oldest open message of each order, so that two workers never have two of one order.
const claimSql = statement(
  'webhook-claim',
  `update webhook_deliveries d set status = 'sending', claimed_at = clock_timestamp(), attempts = attempts + 1
   from (
     select o.id from webhook_deliveries o join webhook_endpoints e on e.id = o.endpoint_id
     where o.endpoint_id = $1 and o.status = 'pending' and o.next_attempt_at <= now() + interval '1 millisecond'
       and e.is_enabled and e.resume_at <= now() + interval '1 millisecond'
       and not exists (
         select from webhook_deliveries b
         where b.endpoint_id = o.endpoint_id and b.subject = o.subject and b.status in ('pending', 'sending') and b.id < o.id)
     order by o.id limit ${CLAIMED} for update of o skip locked) due
   where d.id = due.id and d.status = 'pending'
   returning d.id, d.type, d.data, d.attempts, d.created_at as "createdAt", d.claimed_at as "claimedAt"`,
)
const endpointSql = statement(
  'webhook-endpoint',
  'select url, secret from webhook_endpoints where id = $1 and is_enabled',
)
const deliveredSql = statement(
  'webhook-delivered',
  `with d as (
     update webhook_deliveries set status = 'delivered', delivered_at = now(), last_status = $3, last_error = null
     where id = $1 and claimed_at = $2 and status = 'sending' returning endpoint_id)
   update webhook_endpoints e set failing_since = null, failures = 0, last_error = null, resume_at = now()
   from d where e.id = d.endpoint_id and e.failures > 0`,
)
// The pause of the endpoint doubles with its failures in a row; the message waits on its own besides.
const failedSql = statement(
  'webhook-failed',
  `with d as (
     update webhook_deliveries set last_status = $3, last_error = $4,
       status = case when attempts >= ${MAX_ATTEMPTS} then 'failed' else 'pending' end,
       next_attempt_at = now() + $5::float8 * least(${MAX_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ (attempts - 1)) * interval '1 second'
     where id = $1 and claimed_at = $2 and status = 'sending' returning endpoint_id)
   update webhook_endpoints e set failures = e.failures + 1, failing_since = coalesce(e.failing_since, now()), last_error = $4,
     resume_at = now() + $5::float8 * least(${MAX_WAIT_SECONDS}, 2 ^ least(20, e.failures / ${SENT_AT_ONCE}) - 1) * interval '1 second'
   from d where e.id = d.endpoint_id
   returning e.id`,
)
const stopSql = statement(
  'webhook-stop',
  `update webhook_endpoints set is_enabled = false, stopped_at = now()
   where is_enabled and failing_since < now() - interval '${HOOK_FAILING_DAYS} days'
   returning id, vendor_id as "vendorId", last_error as "lastError"`,
)
const releaseSql = statement(
  'webhook-release',
  `update webhook_deliveries set status = 'pending', last_error = 'unanswered'
   where status = 'sending' and claimed_at < now() - ${LEASE_SECONDS} * interval '1 second'`,
)
const dueSql = statement(
  'webhook-due',
  `select e.id from webhook_endpoints e where e.is_enabled and e.resume_at <= now() and exists (
     select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending' and d.next_attempt_at <= now())`,
)
export interface Sending {
  pool: App['pool']
  db: Db
  config: Pick<Config, 'secret'>
}

/** In tests: the receiver, and how long back-offs are, as a factor. */
export interface SendingOptions {
  network?: Network
  waits?: number
  timeoutMs?: number
}

/** Whether more is due at once, or soon, because some arrived and some did not; else the sweep finds it. */
type Left = 'more' | 'soon' | 'nothing'

/** Sends what is due to one endpoint, for one turn. */
export async function sendDue(app: Sending, endpointId: number, options: SendingOptions = {}): Promise<Left> {
  const end = performance.now() + TURN_MS
  const outcomes = { arrived: 0, failed: 0 }
  for (;;) {
    const [endpoint] = await run<{ url: string; secret: string }>(app.db, endpointSql, [endpointId])
    const secret = endpoint && unseal(hookKey(app.config.secret), endpoint.secret, endpoint.url)
    if (!endpoint || !secret) return 'nothing'
    const claimed = await inTransaction(app.pool, (db) => run<Claimed>(db, claimSql, [endpointId]))
    if (claimed.length === 0) return outcomes.arrived > 0 && outcomes.failed > 0 ? 'soon' : 'nothing'
    const queue = claimed.toSorted((a, b) => a.id - b.id)
    const one = async () => {
      for (let next = queue.shift(); next; next = queue.shift())
        outcomes[await send(app, { url: endpoint.url, secret }, next, options)] += 1
    }
    await Promise.all(Array.from({ length: SENT_AT_ONCE }, one))
    if (performance.now() > end) return 'more'
  }
}

async function send(
  { db }: Sending,
  { url, secret }: { url: string; secret: string },
  { id, type, data, createdAt, claimedAt }: Claimed,
  { network, waits = 1, timeoutMs = TIMEOUT_MS }: SendingOptions,
): Promise<'arrived' | 'failed'> {
  const message = `msg_${id}`
  const body = Buffer.from(JSON.stringify({ id: message, type, createdAt: createdAt.toISOString(), data }))
  const headers = signedHeaders(secret, message, body, new Date())
  const answer = await safePost(url, { headers, body, signal: AbortSignal.timeout(timeoutMs) }, network)
  if ('status' in answer && answer.status >= 200 && answer.status < 300) {
    await run(db, deliveredSql, [id, claimedAt, answer.status])
    return 'arrived'
  }
  const [status, problem] = 'status' in answer ? [answer.status, 'status'] : [null, answer.problem]
  await run(db, failedSql, [id, claimedAt, status, problem, waits])
  return 'failed'
}

/** Disables endpoints after days of failure, takes back what dead workers had, and starts what is due. */
async function sweep(app: App): Promise<void> {
  await run(app.db, releaseSql)
  await inTransaction(app.pool, async (db) => {
    for (const { id, vendorId, lastError } of await run<{
      id: number
      vendorId: number | null
      lastError: string | null
    }>(db, stopSql)) {
      const ctx = { db, afterCommit: () => {}, client: { ip: null, userAgent: null } }
      const changes = [{ field: 'error', from: null, to: lastError }]
      await emit(ctx, { name: 'webhook.stopped', action: 'stopped', resource: 'webhook', id, vendorId, changes })
      raiseAlert(app.log, 'webhook-stopped', { endpointId: id })
    }
  })
  for (const { id } of await run<{ id: number }>(app.db, dueSql))
    await app.queue.send('outgoing-webhooks', { endpointId: id })
}

export function outgoingWebhookJobs(app: App, options: SendingOptions = {}) {
  // One endpoint at a time for a worker: those that hang leave the others a place, and other queues have their own.
  app.queue.handle('outgoing-webhooks', { concurrency: 3, expireInSeconds: 90 }, async ({ data }) => {
    const left = await sendDue(app, data.endpointId, options)
    if (left !== 'nothing')
      await app.queue.send('outgoing-webhooks', data, { startAfterSeconds: left === 'more' ? 0 : SOON_SECONDS })
  })
  app.queue.handle('webhook-sweep', { concurrency: 1, expireInSeconds: 50, retryLimit: 0 }, () => sweep(app))
}
