import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import type { FilterInput } from '../jobs/events.ts'
import type { MessagePricing, Outcome, Receipt } from '../providers/provider.ts'
import { type Channel, countStatus } from './metrics.ts'

type OnDb = { db: Db }
// Only a claim that was certainly not sent, for a reason that passes, may be claimed again; no other is repeated.
const claimSql = statement(
  'message-claim',
  `insert into whatsapp_messages (dedupe_key, contact_id, to_number, direction, channel, message_type, content,
     sent_by_type, claimed_at)
   values ($1, (select id from contacts where phone = $2), $2, 'outgoing', $3, $4, $5, $6, now())
   on conflict (dedupe_key) do update set status = 'queued', claimed_at = now()
   where whatsapp_messages.status = 'failed' and whatsapp_messages.errors -> -1 ->> 'kind' in ('busy', 'stopped', 'template')
   returning id`,
)

export interface NewMessage {
  /** A second message with the same key is not sent. */
  dedupeKey: string
  to: string
  channel: 'whatsapp' | 'sms' | 'push'
  type: string
  /** As stored: without codes. */
  content: string
  by?: 'bot' | 'system' | 'campaign'
}

/**
 * Claims a message for sending; null if it was claimed before. The claim is committed before the provider is called.
 */
export async function claimMessage({ db }: OnDb, message: NewMessage): Promise<number | null> {
  const { dedupeKey, to, channel, type, content, by = 'system' } = message
  const [row] = await run<{ id: number }>(db, claimSql, [dedupeKey, to, channel, type, content, by])
  return row?.id ?? null
}

const rank = (status: string) => `array_position(array['queued','unknown','sent','delivered','read'], ${status})`

/**
 * SQL: whether a status may follow another. It moves forward only. `failed` is final, since another channel may have
 * taken the message over; reported late, it changes nothing about a message that was delivered or read.
 */
export const mayFollow = (from: string, to: string) =>
  `(${from} <> 'failed' and case when ${to} = 'failed' then ${from} not in ('delivered', 'read')
     else ${rank(from)} < ${rank(to)} end)`

const receiptSql = statement(
  'message-receipt',
  `update whatsapp_messages set
     message_id = coalesce(message_id, $1),
     status = $3,
     timestamp = now(),
     sent_at = case when $3 in ('sent', 'delivered', 'read') then coalesce(sent_at, $5) else sent_at end,
     delivered_at = case when $3 in ('delivered', 'read') then coalesce(delivered_at, $5) else delivered_at end,
     seen_at = case when $3 = 'read' then coalesce(seen_at, $5) else seen_at end,
     errors = case when $4::jsonb is null then errors else errors || $4::jsonb end
   where (message_id = $1 or (id = $2 and (message_id is null or $1::text is null))) and direction = 'outgoing'
     and ${mayFollow('status', '$3')}
   returning id, contact_id, channel, sent_by_type`,
)
const knownSql = statement(
  'message-known',
  `select 1 from whatsapp_messages where (message_id = $1 or id = $2) and direction = 'outgoing'`,
)
const orphanSql = statement(
  'receipt-orphan',
  `insert into orphan_receipts (message_id, status, at, error, pricing) values ($1, $2, $3, $4, $5)
   on conflict (message_id, status) do nothing`,
)
const joinSql = statement(
  'receipt-join',
  'delete from orphan_receipts where message_id = $1 returning status, at, error, pricing',
)

export interface ReceiptOf {
  /** The provider's message id. */
  messageId: string | null
  /** Our own reference, if the provider returns it. */
  reference: string | null
  status: Receipt | 'unknown'
  error?: { code?: string } | undefined
  /** The provider's timestamp. */
  at?: Date
  pricing?: MessagePricing | null
}

// Receipts of one message repeat it; the first is kept.
const pricingSql = statement(
  'message-pricing',
  `update whatsapp_messages set pricing = $3 where (message_id = $1 or id = $2) and direction = 'outgoing' and pricing is null`,
)

export interface StatusRow {
  id: number
  contact_id: number | null
  sent_by_type: string
}

/** Publishes `message.status-changed` {messageId, contactId, status}. */
export async function publishStatus(ctx: Pick<JobContext, 'db' | 'afterCommit'>, row: StatusRow, status: string) {
  const news = { messageId: row.id, contactId: row.contact_id, status }
  await publish(ctx, 'message.status-changed', news, { ...news, sentBy: row.sent_by_type })
}

/** Filter for subscribers of `message.status-changed`. */
export const isOfCampaign = ({ sentBy }: FilterInput<'message.status-changed'>) => sentBy === 'campaign'

/**
 * Updates a message's status, forward only. Finds the message by the provider's id or by our reference, since a receipt
 * can arrive before the response that contains the provider's id. Stores a receipt of an unknown message until its id
 * is known. Publishes its new status, and `message.failed` {messageId} on final failure.
 */
export async function applyReceipt(
  ctx: OnDb & Partial<JobContext>,
  receipt: ReceiptOf,
): Promise<'moved' | 'kept' | 'orphan'> {
  const { messageId, reference, status, error, at = new Date(), pricing = null } = receipt
  const id = reference !== null && /^\d{1,9}$/.test(reference) ? Number(reference) : null
  const entry = error ? JSON.stringify([{ ...error, at: at.toISOString() }]) : null
  const values = [messageId, id, status, entry, at]
  const [moved] = await run<StatusRow & { channel: Channel }>(ctx.db, receiptSql, values)
  if (pricing) await run(ctx.db, pricingSql, [messageId, id, JSON.stringify(pricing)])
  if (moved) {
    const publishContext = { db: ctx.db, afterCommit: ctx.afterCommit ?? ((effect: () => void) => effect()) }
    await publishStatus(publishContext, moved, status)
    publishContext.afterCommit(() => countStatus(moved.channel, status))
    const failure = { code: error?.code ?? null }
    if (status === 'failed') await publish(publishContext, 'message.failed', { messageId: moved.id }, failure)
    return 'moved'
  }
  if ((await run(ctx.db, knownSql, [messageId, id])).length > 0) return 'kept'
  if (messageId === null || status === 'unknown') return 'kept'
  await run(ctx.db, orphanSql, [
    messageId,
    status,
    at,
    error ? JSON.stringify(error) : null,
    pricing && JSON.stringify(pricing),
  ])
  return 'orphan'
}

/** A receipt that was stored before the id of its message. */
export interface OrphanReceipt {
  status: Receipt
  at: Date
  error: { code?: string } | null
  pricing: MessagePricing | null
}

/** Stores the provider's response; only `sent` has an id. Applies receipts that arrived before the id was known. */
export async function recordOutcome(ctx: OnDb & Partial<JobContext>, id: number, outcome: Outcome): Promise<void> {
  const reference = String(id)
  if (!outcome.ok) {
    const error = { ...outcome.error, kind: outcome.kind }
    const status = outcome.kind === 'unknown' ? 'unknown' : 'failed'
    await applyReceipt(ctx, { messageId: null, reference, status, error })
    return
  }
  const { messageId } = outcome
  await applyReceipt(ctx, { messageId, reference, status: 'sent' })
  const early = await run<OrphanReceipt>(ctx.db, joinSql, [messageId])
  for (const { status, at, error, pricing } of early) {
    await applyReceipt(ctx, { messageId, reference, status, at, error: error ?? undefined, pricing })
  }
}
