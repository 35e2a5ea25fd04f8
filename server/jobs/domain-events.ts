import type { HistoryAction, OrderField } from '@qatra/contract/orders/history'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { redact } from '../lib/redact.ts'
import type { Emitted, EmittedName, EventJob, EventName, Events, FilterInput } from './events.ts'
import type { JobOf, QueueName } from './queues.ts'

export interface Change<Field extends string = string> {
  /** Null for a creation or deletion of the resource. */
  field: Field | null
  /** JSON form; money in BHD. */
  from: unknown
  to: unknown
}

interface HistoryEntry {
  action: string
  resource: string
  id: string | number
  vendorId?: number | null
  changes?: readonly Change[]
  notes?: string | null
  /** The customer for whom it was done, if not the impersonated user. */
  onBehalfOf?: number
  /** Default: the start of the transaction. */
  at?: Date
}
/** For orders, what the timeline can show. */
interface OrderEntry extends HistoryEntry {
  action: HistoryAction
  resource: 'order'
  changes?: readonly Change<OrderField>[]
}
type Payload<Name extends EmittedName> = Name extends EmittedName ? Omit<Events[Name], keyof Emitted> : never

/** A domain event, written in the transaction of the change. */
export type DomainEvent<Name extends EmittedName> = (Name extends `order.${string}` ? OrderEntry : HistoryEntry) & {
  name: Name
  id: Events[Name]['id']
} & ([keyof Payload<Name>] extends [never] ? { payload?: undefined } : { payload: Payload<Name> })

interface Authors {
  changedBy: number | null
  onBehalfOf: number | null
  keyId?: number | null
}

/** The part of a request context that writing history needs; jobs have no actor and name the authors. */
export interface EmitContext extends Pick<Ctx, 'db' | 'afterCommit'> {
  actor?: Ctx['actor']
  authors?: Authors
  client: { ip: string | null; userAgent: string | null }
}

const wakers = new Map<string, Set<() => void>>()

export interface SubscriptionOptions<Name extends EventName = never> {
  /** Decides before a job is enqueued whether it is needed. */
  filter?: (about: FilterInput<Name>) => boolean
  /** Seconds between the event and its job, to gather several. */
  delaySeconds?: number | ((about: FilterInput<Name>) => number)
}
const subscriptions = new Map<EventName, Map<string, SubscriptionOptions>>()

/** Enqueues a job in `queue` for every event of this name that passes the filter. */
export function subscribe(event: EventName, queue: string, options: SubscriptionOptions = {}) {
  const ofEvent = subscriptions.get(event) ?? new Map<string, SubscriptionOptions>()
  subscriptions.set(event, ofEvent.set(queue, options))
}

interface NewJob {
  queue: string
  /** Seconds until it starts. */
  delay: number
  data: object
}

/** One job for each subscription whose filter the event passes. */
function jobsOf(data: { event: EventName; [field: string]: unknown }, about: object = data): NewJob[] {
  const input = about as never // `emit` and `publish` demand what the event's filters take
  return [...(subscriptions.get(data.event) ?? [])].flatMap(([queue, { filter, delaySeconds = 0 }]) => {
    if (filter && !passes(() => filter(input))) return []
    return [{ queue, data, delay: typeof delaySeconds === 'number' ? delaySeconds : delaySeconds(input) }]
  })
}

/** If the filter throws, enqueues the job anyway, so that no event is lost. */
function passes(filter: () => boolean): boolean {
  try {
    return filter()
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

/** Wakes the workers of this process when these jobs start. */
function wakeAtStart(ctx: Pick<Ctx, 'afterCommit'>, jobs: readonly NewJob[]): void {
  for (const { queue, delay } of jobs) {
    if (delay === 0) wakeAfterCommit(ctx, [queue])
    else if (delay <= WOKEN_WITHIN_SECONDS)
      ctx.afterCommit(() => void setTimeout(wakeNow, delay * 1000 + WAKE_MARGIN_MS, queue).unref())
  }
}

/** Authors of a history row: the person at the keyboard and, if impersonating, the user they act as. */
export function authorsOf({ actor, authors }: Pick<EmitContext, 'actor' | 'authors'>): Authors {
  if (authors) return authors
  const userId = actor?.user?.id ?? null
  return actor?.impersonator
    ? { changedBy: actor.impersonator.id, onBehalfOf: userId }
    : { changedBy: userId, onBehalfOf: null, keyId: actor?.key?.id ?? null }
}

/** SQL that inserts a job for each row of `jobs`, `j (queue, delay, data)`, with the queue's settings. */
export const enqueueText = (jobs: string) => `
  insert into pgboss.job (name, data, start_after, keep_until, retry_limit, retry_delay, retry_backoff, expire_seconds,
                          deletion_seconds, heartbeat_seconds, dead_letter, policy)
  select q.name, j.data, now() + j.delay * interval '1 second', now() + (j.delay + q.retention_seconds) * interval '1 second',
         q.retry_limit, q.retry_delay, q.retry_backoff, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds,
         q.dead_letter, q.policy
  from ${jobs} join pgboss.queue q on q.name = j.queue`
const jobsIn = (parameter: string) =>
  `json_to_recordset(${parameter}::json) as j (queue text, delay float8, data jsonb)`
const enqueueSql = statement('enqueue', enqueueText(jobsIn('$1')))

async function addJobs(ctx: Pick<Ctx, 'db' | 'afterCommit'>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await run(ctx.db, enqueueSql, [JSON.stringify(jobs)])
  wakeAtStart(ctx, jobs)
}

/** Enqueues one job without an event, in the caller's transaction. */
export const enqueue = <Name extends QueueName>(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  queue: Name,
  data: JobOf<Name>,
  startAfterSeconds = 0,
): Promise<void> => addJobs(ctx, [{ queue, data, delay: startAfterSeconds }])

const ownHistory = (resource: 'order' | 'product', id: 'text' | 'integer') =>
  `insert into ${resource}_audit_history (${resource}_id, action, changed_by, on_behalf_of, key_id, changed_at, field_changed,
                                          old_value, new_value, notes)
   select id, action, changed_by, on_behalf_of, key_id, coalesce(changed_at, now()), field_changed, old_value, new_value,
     notes
   from json_to_recordset($1::json) as h (id ${id}, action text, changed_by integer, on_behalf_of integer,
     key_id integer, changed_at timestamptz, field_changed text, old_value text, new_value text, notes text)`
const auditLog = `
  insert into audit_log (user_id, on_behalf_of, key_id, action, resource, resource_id, vendor_id, old_values, new_values,
                         ip_address, user_agent)
  select * from json_to_recordset($1::json) as h (user_id integer, on_behalf_of integer, key_id integer, action text, resource text,
    resource_id text, vendor_id integer, old_values jsonb, new_values jsonb, ip_address text, user_agent text)`

/** SQL with the parts `history` and `jobs`, whose parameters `emit` gives to its `write`: $1 and $2. */
const recordText = (history: string) => `with history as (${history}), jobs as (${enqueueText(jobsIn('$2'))})`
export const recordOrderText = recordText(ownHistory('order', 'text'))
const recordSql = {
  order: statement('record-order', `${recordOrderText} select`),
  product: statement('record-product', `${recordText(ownHistory('product', 'integer'))} select`),
  other: statement('record', `${recordText(auditLog)} select`),
}

const asText = (value: unknown) =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

const unchanged: Change = { field: null, from: null, to: null }

/** Orders and products have a row for each change. */
const ownRows = ({ id, action, changes = [], notes, at }: HistoryEntry, { changedBy, onBehalfOf, keyId }: Authors) =>
  (changes.length > 0 ? changes : [unchanged]).map(({ field, from, to }) => ({
    id,
    action,
    changed_by: changedBy,
    on_behalf_of: onBehalfOf,
    key_id: keyId,
    changed_at: at,
    field_changed: field,
    old_value: asText(from),
    new_value: asText(to),
    notes,
  }))

function auditRow({ actor, client }: EmitContext, event: HistoryEntry, { changedBy, onBehalfOf, keyId }: Authors) {
  const { action, resource, id, vendorId, changes = [] } = event
  const valuesOf = (side: 'from' | 'to') =>
    changes.map((change) => [change.field ?? 'all', redact(change.field ?? 'all', change[side])])
  return {
    user_id: changedBy,
    on_behalf_of: onBehalfOf,
    key_id: keyId,
    action,
    resource,
    resource_id: String(id),
    vendor_id: vendorId ?? actor?.user?.vendorId,
    ...(changes.length > 0 && {
      old_values: Object.fromEntries(valuesOf('from')),
      new_values: Object.fromEntries(valuesOf('to')),
    }),
    ip_address: client.ip,
    user_agent: client.userAgent?.slice(0, 300),
  }
}

type Write = (recorded: [history: string, jobs: string]) => Promise<unknown>

/**
 * Writes history and one job per subscription in the caller's transaction, by a statement of its own or by `write`,
 * whose statement contains them.
 */
export const emit = <Name extends EmittedName>(ctx: EmitContext, event: DomainEvent<Name>, write?: Write) =>
  emitAll(ctx, [event], write)

/** The same for several events of one kind. */
export async function emitAll<Name extends EmittedName>(
  ctx: EmitContext,
  events: readonly DomainEvent<Name>[],
  write?: Write,
): Promise<void> {
  const authors = authorsOf(ctx)
  const resource = events[0]?.resource
  if (resource === undefined) return
  const table = resource === 'order' || resource === 'product' ? resource : 'other'
  const history = events.flatMap((event): object[] => {
    const ofEvent = { ...authors, onBehalfOf: authors.onBehalfOf ?? event.onBehalfOf ?? null }
    return table === 'other' ? [auditRow(ctx, event, ofEvent)] : ownRows(event, ofEvent)
  })
  const jobs = events.flatMap(({ name, id, payload }) => jobsOf({ event: name, id, by: authors.changedBy, ...payload }))
  const recorded: Parameters<Write>[0] = [JSON.stringify(history), JSON.stringify(jobs)]
  await (write ? write(recorded) : run(ctx.db, recordSql[table], recorded))
  wakeAtStart(ctx, jobs)
}

/**
 * Enqueues one job per subscription without a history row, for frequent events whose own row is the record. `about` goes
 * to the filters and delays only.
 */
export const publish = <Name extends EventName>(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  name: Name,
  payload: Events[Name],
  ...[about]: FilterInput<Name> extends EventJob<Name> ? [] : [about: FilterInput<Name>]
): Promise<void> => addJobs(ctx, jobsOf({ event: name, ...payload }, about))

const tracesSql = statement(
  'history-traces',
  `update audit_log set ip_address = null, user_agent = null
   where user_id = $1 and num_nonnulls(ip_address, user_agent) > 0`,
)

/** Clears addresses and browsers in the audit log of an erased person; needs an erasing transaction. */
export async function eraseAuditTrail(ctx: Ctx, userId: number): Promise<void> {
  await run(ctx.db, tracesSql, [userId])
}
