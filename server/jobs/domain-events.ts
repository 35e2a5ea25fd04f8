import type { HistoryAction, OrderField } from '@qatra/contract/orders/history'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { redact } from '../lib/redact.ts'

export interface Change<Field extends string = string> {
  /** Null for a creation or deletion of the resource. */
  field: Field | null
  /** JSON form; money in BHD. */
  from: unknown
  to: unknown
}

/** A domain event, written in the transaction of the change. */
export interface DomainEvent<Resource extends string = string> {
  name: string
  /** For orders, the actions that the timeline can show. */
  action: Resource extends 'order' ? HistoryAction : string
  resource: Resource
  id: string | number
  vendorId?: number | null
  changes?: readonly Change<Resource extends 'order' ? OrderField : string>[]
  notes?: string | null
  /** The customer for whom it was done, if not the impersonated user. */
  onBehalfOf?: number
  /** Passed to jobs: ids only, no personal data. */
  payload?: Record<string, string | number | null>
}

/** The part of a request context that writing history needs; jobs have no actor and name the authors. */
export interface EmitContext extends Pick<Ctx, 'db' | 'afterCommit'> {
  actor?: Ctx['actor']
  authors?: ReturnType<typeof authorsOf>
  client: { ip: string | null; userAgent: string | null }
}

const wakers = new Map<string, Set<() => void>>()

/** Decides before enqueueing whether a job is needed. `about` is the job's data, unless `publish` was given another. */
export type EventFilter = (about: unknown) => boolean

/** Seconds between an event and the start of its job; a function decides by what the event is about. */
export type Delay = number | ((about: unknown) => number)

interface Subscription {
  queue: string
  filter: EventFilter | undefined
  delaySeconds: Delay
}
const subscriptions = new Map<string, Subscription[]>()

/** Enqueues a job in `queue` for every event of this name that passes the filter. */
export function subscribe(event: string, queue: string, filter?: EventFilter, delaySeconds: Delay = 0) {
  const others = (subscriptions.get(event) ?? []).filter((one) => one.queue !== queue)
  subscriptions.set(event, [...others, { queue, filter, delaySeconds }])
}
export const queuesOf = (event: string) => (subscriptions.get(event) ?? []).map(({ queue }) => queue)

/** Subscriptions whose filter the event passes. */
export const matchingSubscriptions = (event: string, about: unknown): readonly Subscription[] =>
  (subscriptions.get(event) ?? []).filter(({ filter }) => !filter || passes(filter, about))

/** If the filter throws, enqueues the job anyway, so that no event is lost. */
function passes(filter: EventFilter, about: unknown): boolean {
  try {
    return filter(about)
  } catch {
    return true
  }
}

/** Lets the workers of this process start on a queue at once instead of at the next poll. Returns the way to end it. */
export function onWake(queue: string, wake: () => void): () => void {
  const wakes = wakers.get(queue) ?? new Set()
  wakers.set(queue, wakes.add(wake))
  return () => wakes.delete(wake)
}
export function wakeAfterCommit(ctx: Pick<Ctx, 'afterCommit'>, queues: readonly string[]) {
  for (const queue of queues) ctx.afterCommit(() => wakeNow(queue))
}

function wakeNow(queue: string): void {
  for (const wake of wakers.get(queue) ?? []) wake()
}

/** A job that starts within this many seconds is fetched when it starts; later ones wait for the next poll. */
const WOKEN_WITHIN_SECONDS = 10
/** Commit and the clock of the database. */
const WAKE_MARGIN_MS = 30

/** Wakes the workers of this process when a job of these queues starts. */
function wakeAtStart(ctx: Pick<Ctx, 'afterCommit'>, queues: readonly string[], delaySeconds: number): void {
  if (delaySeconds === 0) return wakeAfterCommit(ctx, queues)
  if (delaySeconds > WOKEN_WITHIN_SECONDS) return
  const ms = delaySeconds * 1000 + WAKE_MARGIN_MS
  for (const queue of queues) ctx.afterCommit(() => void setTimeout(wakeNow, ms, queue).unref())
}

/** Authors of a history row: the person at the keyboard and, if impersonating, the user they act as. */
export function authorsOf({ actor }: Pick<Ctx, 'actor'>): { changedBy: number | null; onBehalfOf: number | null } {
  const userId = actor.user?.id ?? null
  return actor.impersonator
    ? { changedBy: actor.impersonator.id, onBehalfOf: userId }
    : { changedBy: userId, onBehalfOf: null }
}

/** SQL fragment that inserts one job per queue with the queue's settings. Values are `$n` or SQL. */
export const enqueueText = (value: { queues: string; data: string; delay: string; from?: string }) => `
  insert into pgboss.job (name, data, start_after, keep_until, retry_limit, retry_delay, retry_backoff, expire_seconds,
                          deletion_seconds, heartbeat_seconds, dead_letter, policy)
  select q.name, ${value.data}, now() + ${value.delay}::float8 * interval '1 second',
         now() + (${value.delay}::float8 + q.retention_seconds) * interval '1 second', q.retry_limit, q.retry_delay,
         q.retry_backoff, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds, q.dead_letter, q.policy
  from ${value.from ? `${value.from}, ` : ''}pgboss.queue q where q.name = any(${value.queues}::text[])`

export const enqueueSql = statement('enqueue', enqueueText({ queues: '$1', data: '$2::jsonb', delay: '$3' }))

/** Enqueues one job without an event, in the caller's transaction. */
export async function enqueue(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  queue: string,
  data: object,
  startAfterSeconds = 0,
): Promise<void> {
  await run(ctx.db, enqueueSql, [[queue], JSON.stringify(data), startAfterSeconds])
  wakeAtStart(ctx, [queue], startAfterSeconds)
}

const ownHistory = (resource: string) => resource === 'order' || resource === 'product'

const historySql = (resource: 'order' | 'product') =>
  statement(
    `history-${resource}`,
    `insert into ${resource}_audit_history (${resource}_id, action, changed_by, on_behalf_of, field_changed, old_value, new_value, notes)
     select $1, $2, $3, $4, c.field, c.from_value, c.to_value, $5
     from json_to_recordset($6::json) as c (field text, from_value text, to_value text)`,
  )
const orderHistory = historySql('order')
const productHistory = historySql('product')
const auditSql = statement(
  'history-audit',
  `insert into audit_log (user_id, on_behalf_of, action, resource, resource_id, vendor_id, old_values, new_values, ip_address, user_agent)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

const asText = (value: unknown) =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

const valueOf = ({ field, ...change }: Change, side: 'from' | 'to') => [
  field ?? 'all',
  redact(field ?? 'all', change[side]),
]

/** Writes history and one job per subscriber in the caller's transaction. */
export async function emit<Resource extends string>(ctx: EmitContext, event: DomainEvent<Resource>): Promise<void> {
  const { actor, authors = actor ? authorsOf({ actor }) : { changedBy: null, onBehalfOf: null } } = ctx
  const { changedBy, onBehalfOf: actedAs } = authors
  const onBehalfOf = actedAs ?? event.onBehalfOf ?? null
  const { name, action, resource, id, changes = [], notes = null } = event
  if (ownHistory(resource)) {
    const rows = changes.length > 0 ? changes : [{ field: null, from: null, to: null }]
    const recordset = rows.map((change) => ({
      field: change.field,
      from_value: asText(change.from),
      to_value: asText(change.to),
    }))
    await run(ctx.db, resource === 'order' ? orderHistory : productHistory, [
      id,
      action,
      changedBy,
      onBehalfOf,
      notes,
      JSON.stringify(recordset),
    ])
  } else {
    const valuesOf = (side: 'from' | 'to') =>
      changes.length > 0 ? JSON.stringify(Object.fromEntries(changes.map((c) => valueOf(c, side)))) : null
    const { ip, userAgent } = ctx.client
    await run(ctx.db, auditSql, [
      changedBy,
      onBehalfOf,
      action,
      resource,
      String(id),
      event.vendorId ?? actor?.user?.vendorId ?? null,
      valuesOf('from'),
      valuesOf('to'),
      ip,
      userAgent?.slice(0, 300) ?? null,
    ])
  }
  await enqueueEvent(ctx, { event: name, id, by: changedBy, ...event.payload })
}

/** One statement for the queues of one delay; most have none. */
async function enqueueEvent(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  data: { event: string; [field: string]: unknown },
  about: unknown = data,
): Promise<void> {
  const delayed = matchingSubscriptions(data.event, about).map(({ queue, delaySeconds }) => ({
    queue,
    delay: typeof delaySeconds === 'number' ? delaySeconds : delaySeconds(about),
  }))
  for (const delay of new Set(delayed.map((one) => one.delay))) {
    const group = delayed.filter((one) => one.delay === delay).map(({ queue }) => queue)
    await run(ctx.db, enqueueSql, [group, JSON.stringify(data), delay])
    wakeAtStart(ctx, group, delay)
  }
}

/**
 * Enqueues one job per subscriber without a history row, for frequent events whose own row is the record. `about` goes
 * to the filters and delays only. Default: the job's data.
 */
export async function publish(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  name: string,
  payload: Record<string, string | number | boolean | null>,
  about?: unknown,
): Promise<void> {
  await enqueueEvent(ctx, { event: name, ...payload }, about)
}

const tracesSql = statement(
  'history-traces',
  `update audit_log set ip_address = null, user_agent = null
   where user_id = $1 and num_nonnulls(ip_address, user_agent) > 0`,
)

/** Clears addresses and browsers in the audit log of an erased person; needs an erasing transaction. */
export async function eraseAuditTrail(ctx: Ctx, userId: number): Promise<void> {
  await run(ctx.db, tracesSql, [userId])
}
