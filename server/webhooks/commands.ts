import { changeMessage } from '../conversations/changes.commands.ts'
import { applyReceipt } from '../conversations/commands.ts'
import { admitContact, linkRecipient, moveContact, setOptOut } from '../conversations/contacts.commands.ts'
import { receiveEcho, receiveMessage } from '../conversations/incoming.commands.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit, enqueue, enqueueText, publish, wakeAfterCommit } from '../jobs/domain-events.ts'
import { type ParsedEvent, parseEvent } from './parse-event.ts'
import { ofPerson, requireEvent } from './queries.ts'
import { eventsOf, type NewEvent } from './split-events.ts'

/** After this many failures an event waits for a manual replay. */
export const TRIES = 5

// One statement, so that no event is stored without its job; repeated events are only counted. Does not store the
// recipient of a receipt if that person was erased. The locks wait for an erasure that has deleted the earlier events.
const storeSql = statement(
  'webhook-store',
  `with sent as materialized (
     select * from json_to_recordset($1::json) as n ("webhookId" text, "eventType" text, field text, "phoneNumberId" text,
       "businessAccountId" text, "rawPayload" text, problem text, "senderPhone" text, "senderScopedId" text,
       "recipientPhone" text, "recipientScopedId" text)
   ), keys as (
     insert into whatsapp_webhook_keys as k (webhook_id) select "webhookId" from sent
     on conflict (webhook_id) do update set deliveries = k.deliveries + 1 returning k.webhook_id, k.deliveries
   ), fresh as (
     insert into whatsapp_webhook_events
       (webhook_id, event_type, field, phone_number_id, business_account_id, raw_payload, status, error_message,
         sender_phone, sender_scoped_id, recipient_phone, recipient_scoped_id)
     select n."webhookId", n."eventType", n.field, n."phoneNumberId", n."businessAccountId", n."rawPayload",
       case when n.problem is null then 'received' else 'failed' end, n.problem,
       n."senderPhone", n."senderScopedId",
       case when known.is_known then n."recipientPhone" end, case when known.is_known then n."recipientScopedId" end
     from sent n join keys on keys.webhook_id = n."webhookId" and keys.deliveries = 1
     cross join lateral (select n."eventType" <> 'status'
       or exists (select from users where phone = n."recipientPhone" for share)
       or exists (select from contacts where phone = n."recipientPhone" or business_scoped_id = n."recipientScopedId"
         for share) as is_known offset 0) known -- the offset makes it one evaluation
     returning id, status, event_type
   ), waiting as (
     select id, case event_type when 'status' then 'webhook-receipt' else 'webhook-event' end as queue
     from fresh where status = 'received'
   ), jobs as (
     ${enqueueText(`(select queue, 0 as delay, jsonb_build_object('eventId', id) as data from waiting) j`)}
   ) select count(*)::int as fresh, coalesce(array_agg(distinct queue), '{}') as queues from waiting`,
)

/** Stores all events of a call with a job for each in one round trip. */
export async function storeCall(ctx: Pick<Ctx, 'db' | 'afterCommit'>, bytes: Buffer): Promise<number> {
  const events: NewEvent[] = eventsOf(bytes)
  const [row] = await run<{ fresh: number; queues: string[] }>(ctx.db, storeSql, [JSON.stringify(events)])
  if (row && row.fresh > 0) wakeAfterCommit(ctx, row.queues)
  return row?.fresh ?? 0
}

interface StoredEvent {
  id: number
  raw_payload: string
  event_type: string
  phone_number_id: string | null
  recipient_phone: string | null
  recipient_scoped_id: string | null
  created_at: Date
}

// The row lock makes concurrent workers skip the event.
const lockSql = statement(
  'webhook-hold',
  `select id, raw_payload, event_type, phone_number_id, recipient_phone, recipient_scoped_id, created_at from whatsapp_webhook_events
   where id = $1 and status in ('received', 'processing') for update skip locked`,
)
const settleSql = statement(
  'webhook-settle',
  `update whatsapp_webhook_events set status = $2, error_message = $3, processed_payload = $4, processed_at = now(),
     attempts = attempts + 1
   where id = $1`,
)

/**
 * Processes an event. Effects and result are committed in one transaction, so after a crash the event is processed
 * again.
 * @param phoneNumberId if given, events of other numbers are ignored
 */
export async function processEvent(ctx: JobContext, id: number, phoneNumberId: string | null): Promise<void> {
  const [event] = await run<StoredEvent>(ctx.db, lockSql, [id])
  if (!event) return
  const isForeign = phoneNumberId !== null && event.phone_number_id !== null && event.phone_number_id !== phoneNumberId
  const meanings: ParsedEvent[] = isForeign
    ? [{ kind: 'ignored', reason: 'Another number' }]
    : parseEvent(payloadOf(event), event.created_at)
  const results = []
  const { recipient_phone: phone, recipient_scoped_id: scopedId } = event
  if (meanings.some(({ kind }) => kind === 'receipt') && phone !== null && scopedId !== null)
    await linkRecipient(ctx, phone, scopedId)
  for (const meaning of meanings) results.push({ kind: meaning.kind, ...(await applyMeaning(ctx, meaning, event)) })
  const broken = meanings.find(({ kind }) => kind === 'broken')
  const quiet = meanings.find(({ kind }) => kind === 'ignored')
  const isIgnored = meanings.every(({ kind }) => kind === 'ignored')
  const reason = broken ?? (isIgnored ? quiet : undefined)
  const status = broken ? 'failed' : isIgnored ? 'ignored' : 'processed'
  await run(ctx.db, settleSql, [
    id,
    status,
    reason && 'reason' in reason ? reason.reason : null,
    JSON.stringify(results),
  ])
}

function payloadOf(event: StoredEvent): unknown {
  if (event.event_type === 'unreadable') return null
  return JSON.parse(event.raw_payload)
}

// An unprocessed event still needs its payload.
const emptySql = statement(
  'webhook-empty',
  `update whatsapp_webhook_events set raw_payload = '{"field":"messages","value":{}}'
   where webhook_id = $1 and ($2 or status in ('processed', 'ignored'))`,
)

/** Returns ids of the effects; nothing personal, since the result is shown and stored. */
async function applyMeaning(ctx: JobContext, meaning: ParsedEvent, event: StoredEvent): Promise<object> {
  switch (meaning.kind) {
    case 'message': {
      const { messageId, contactId, isNew, isRevoked } = await receiveMessage(ctx, meaning.message)
      if (isRevoked) await run(ctx.db, emptySql, [`message:${meaning.message.providerId}`, true])
      return { messageId, contactId, isNew, type: meaning.message.type }
    }
    case 'change': {
      const result = await changeMessage(ctx, meaning.change)
      const { providerId, originalId, direction, content } = meaning.change
      const isRevocation = content === null
      const kind = direction === 'incoming' ? 'message' : 'echo'
      // The message has the text of an edit, and loses it when it is deleted.
      await run(ctx.db, emptySql, isRevocation ? [`${kind}:${originalId}`, false] : [`${kind}:${providerId}`, true])
      return { result, isRevocation }
    }
    case 'echo': {
      const { messageId, contactId, isNew, isRevoked } = await receiveEcho(ctx, meaning.message)
      if (isRevoked) await run(ctx.db, emptySql, [`echo:${meaning.message.providerId}`, true])
      return { messageId, contactId, isNew, type: meaning.message.type }
    }
    case 'receipt': {
      const result = await applyReceipt(ctx, meaning.receipt)
      return { result, status: meaning.receipt.status }
    }
    case 'number':
      return { contactId: await moveContact(ctx, meaning.from, meaning) }
    case 'preference': {
      const contactId = await admitContact(ctx, meaning.from)
      await setOptOut(ctx, contactId, { isOut: meaning.isOut, source: 'provider', at: meaning.at })
      return { contactId, isOut: meaning.isOut }
    }
    case 'template': {
      const { kind, ...news } = meaning
      await publish(ctx, 'template.changed', { ...news, at: news.at.toISOString() })
      return { name: news.name, language: news.language, [news.field]: news.to }
    }
    case 'account': {
      const { isFlagged, event: name, ...news } = meaning.news
      const flag = isFlagged === null ? null : Number(isFlagged)
      const at = event.created_at.toISOString()
      await publish(ctx, 'account.reported', { ...news, name, isFlagged: flag, webhookEventId: event.id, at })
      return { event: name, severity: news.severity }
    }
    default:
      return { reason: meaning.reason }
  }
}

const failSql = statement(
  'webhook-fail',
  `update whatsapp_webhook_events set attempts = attempts + 1, error_message = $2,
     status = case when attempts + 1 >= ${TRIES} then 'failed' else 'received' end
   where id = $1 and status in ('received', 'processing')`,
)

/** Stores the error of a failed attempt; after TRIES attempts the event waits for a manual replay. */
export async function recordFailure({ db }: { db: Db }, id: number, error: unknown): Promise<void> {
  const kind = error instanceof Error ? error.name : 'Error'
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : ''
  await run(db, failSql, [id, `It could not be worked on: ${kind}${code}`])
}

const againSql = statement(
  'webhook-again',
  `update whatsapp_webhook_events set status = 'received', attempts = 0, error_message = null
   where id = $1 and event_type <> 'unreadable' returning id`,
)

/** Processes an event again from the start; effects that exist are not repeated. */
export async function replayEvent(ctx: Ctx, id: number) {
  await requireEvent(ctx.db, id)
  const [row] = await run<{ id: number }>(ctx.db, againSql, [id])
  if (row) await enqueue(ctx, 'webhook-event', { eventId: id })
  await emit(ctx, { name: 'webhook.replayed', action: 'replayed', resource: 'webhook-event', id })
  return requireEvent(ctx.db, id)
}

const strandedSql = statement(
  'webhook-stranded',
  `select id from whatsapp_webhook_events
   where status in ('received', 'processing') and created_at < now() - interval '5 minutes'
     and not exists (select from pgboss.job j where j.name in ('webhook-event', 'webhook-receipt') and j.state < 'completed'
       and j.data ->> 'eventId' = whatsapp_webhook_events.id::text)
   order by id limit 200`,
)

/** Enqueues events whose job is missing, for example after a restore without jobs. */
export async function enqueueStranded(ctx: JobContext): Promise<void> {
  for (const { id } of await run<{ id: number }>(ctx.db, strandedSql))
    await enqueue(ctx, 'webhook-event', { eventId: id })
}

export const eraseSql = statement(
  'webhook-erase',
  `with erased as (delete ${ofPerson} returning e.webhook_id)
   delete from whatsapp_webhook_keys k using erased where k.webhook_id = erased.webhook_id`,
)
// Receipts that are being stored are visible afterwards; later ones wait and do not find the recipient. The user is
// locked already.
const lockPersonSql = statement('webhook-lock-person', 'select from contacts where phone = $1 for no key update')

/** Before the contact is erased, which links number and id. */
export async function eraseEventsOf(db: Db, phone: string): Promise<void> {
  await run(db, lockPersonSql, [phone])
  await run(db, eraseSql, [phone])
}
