import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { type Outgoing, problemOf, wordsOf } from '../providers/message.ts'
import { noteReceipt, type Receipt } from './commands.ts'
import { admitContact } from './contacts.commands.ts'
import { isWindowOpen } from './contacts.queries.ts'
import { noteHumanReply, noteOutgoing } from './conversations.commands.ts'

export interface ToSend {
  /** Whom: a contact, or a phone, whose contact is made where there is none. */
  to: { contactId: number } | { phone: string }
  message: Outgoing
  /** What the message is for: the same news is never sent twice. Without one every call is a message of its own. */
  dedupeKey?: string
  /** Whoever wrote it; `staff` takes the conversation over from the bot. */
  by: { type: 'bot' | 'system' | 'campaign' } | { type: 'staff'; userId: number }
  /** The provider's id of the message that this one answers. */
  contextId?: string
}

const insertSql = statement(
  'message-queue',
  `insert into whatsapp_messages (dedupe_key, contact_id, to_number, direction, channel, message_type, content, payload,
     context_message_id, sent_by_type, sent_by_user_id)
   select $1, id, phone, 'outgoing', 'whatsapp', $3, $4, $5, $6, $7, $8 from contacts where id = $2
   on conflict (dedupe_key) do nothing returning id`,
)
const windowSql = statement(
  'conversation-window',
  'select last_incoming_at, now() from whatsapp_conversation_threads where contact_id = $1',
)

/**
 * The way out: the message stands in the conversation as queued, and leaves once the transaction is there. Messages of
 * one contact leave in the order in which they were queued.
 * `inSeconds`: the caller sends it by itself right after the commit; the job comes later, and finds nothing left.
 * @returns the message's id; null where one with this `dedupeKey` was queued before
 * @throws SERVICE_WINDOW_CLOSED for anything but a template after 24 hours; MESSAGE_REFUSED for what no provider takes
 */
export async function queueMessage(
  ctx: JobContext,
  { to, message, dedupeKey, by, contextId }: ToSend,
  { hasWindow = true, inSeconds = 0 }: { hasWindow?: boolean; inSeconds?: number } = {},
): Promise<{ messageId: number; contactId: number } | null> {
  const problem = problemOf(message)
  if (problem) throw new AppError('MESSAGE_REFUSED', { problem })
  const contactId =
    'contactId' in to ? to.contactId : await admitContact(ctx, { phone: to.phone, businessScopedId: null, name: null })
  if (hasWindow && message.type !== 'template') await requireWindow(ctx, contactId)
  const [row] = await run<{ id: number }>(ctx.db, insertSql, [
    dedupeKey ?? null,
    contactId,
    message.type,
    wordsOf(message),
    JSON.stringify(message),
    contextId ?? null,
    by.type,
    by.type === 'staff' ? by.userId : null,
  ])
  if (!row) return null
  await noteOutgoing(ctx, contactId, row.id)
  if (by.type === 'staff') await noteHumanReply(ctx, contactId, by.userId)
  await enqueue(ctx, SENDING, { contactId }, inSeconds)
  return { messageId: row.id, contactId }
}

/** The queue whose job sends all that waits for a contact. */
export const SENDING = 'send-messages'

/** Whether the customer's last message is young enough for free words. */
export async function hasOpenWindow({ db }: { db: Db }, contactId: number): Promise<boolean> {
  const [row] = await run<{ last_incoming_at: Date | null; now: Date }>(db, windowSql, [contactId])
  return row !== undefined && isWindowOpen(row.last_incoming_at, row.now)
}

/** @throws SERVICE_WINDOW_CLOSED */
export async function requireWindow(ctx: { db: Db }, contactId: number): Promise<void> {
  if (!(await hasOpenWindow(ctx, contactId))) throw new AppError('SERVICE_WINDOW_CLOSED')
}

export interface Claimed {
  id: number
  payload: Outgoing
  phone: string | null
  business_scoped_id: string | null
  /** How often the provider was too busy for it. */
  refusals: number
}

const holdSql = statement(
  'sending-hold',
  'select id from whatsapp_conversation_threads where contact_id = $1 for update',
)
// One at a time for each contact, the oldest first. What a worker that died had taken on is the sweeper's.
const claimSql = statement(
  'sending-claim',
  `update whatsapp_messages m set claimed_at = now() from contacts c
   where c.id = m.contact_id and m.id = (
       select id from whatsapp_messages
       where contact_id = $1 and direction = 'outgoing' and status = 'queued' and payload is not null order by id limit 1)
     and m.claimed_at is null and m.status = 'queued'
   returning m.id, m.payload, c.phone, c.business_scoped_id,
     (select count(*)::int from jsonb_array_elements(m.errors) e where e ->> 'kind' in ('busy', 'stopped')) as refusals`,
)

/** Takes on the next message of a contact; null where there is none, or another worker is at it. In a transaction. */
export async function claimNext({ db }: { db: Db }, contactId: number): Promise<Claimed | null> {
  await run(db, holdSql, [contactId])
  const [row] = await run<Claimed>(db, claimSql, [contactId])
  return row ?? null
}

const giveBackSql = statement(
  'sending-back',
  `update whatsapp_messages set claimed_at = null, errors = errors || $2::jsonb
   where id = $1 and status = 'queued'`,
)

/** The provider certainly did not take it: it waits for another try. */
export async function giveBack({ db }: { db: Db }, id: number, error: object): Promise<void> {
  await run(db, giveBackSql, [id, JSON.stringify([{ ...error, at: new Date().toISOString() }])])
}

const lostSql = statement(
  'sending-lost',
  `update whatsapp_messages set status = 'unknown', timestamp = now(),
     errors = errors || '[{"kind": "unknown", "code": "LOST", "text": "The worker ended before the provider answered"}]'
   where direction = 'outgoing' and status = 'queued' and claimed_at < now() - interval '2 minutes'
   returning id, contact_id`,
)
const lateSql = statement(
  'sending-late-receipts',
  `select o.message_id, o.status, o.at, o.error from orphan_receipts o
   join whatsapp_messages m on m.message_id = o.message_id limit 500`,
)
const oldSql = statement(
  'sending-old-receipts',
  `delete from orphan_receipts where created_at < now() - interval '90 days'`,
)
const joinedSql = statement('sending-joined', 'delete from orphan_receipts where message_id = any($1::text[])')
const waitingSql = statement(
  'sending-waiting',
  `select distinct contact_id from whatsapp_messages
   where direction = 'outgoing' and status = 'queued' and claimed_at is null and payload is not null
     and contact_id is not null and created_at < now() - interval '5 minutes' limit 500`,
)

/** What a dead worker had taken on is unknown from now on, never sent again; what nobody took on is sent for. */
export async function sweepSending(ctx: JobContext): Promise<void> {
  const lost = await run<{ id: number; contact_id: number | null }>(ctx.db, lostSql)
  for (const { id } of lost) await publish(ctx, 'message.status-changed', { messageId: id, status: 'unknown' })
  // A receipt that came in the very moment in which its message became known.
  const late = await run<{ message_id: string; status: Receipt; at: Date; error: object | null }>(ctx.db, lateSql)
  for (const { message_id: messageId, status, at, error } of late) {
    await noteReceipt(ctx, { messageId, reference: null, status, at, error: error ?? undefined })
  }
  if (late.length > 0) await run(ctx.db, joinedSql, [late.map((one) => one.message_id)])
  await run(ctx.db, oldSql)
  const waiting = await run<{ contact_id: number }>(ctx.db, waitingSql)
  for (const contactId of new Set([...waiting, ...lost].map((row) => row.contact_id))) {
    if (contactId !== null) await enqueue(ctx, SENDING, { contactId })
  }
}

const withdrawSql = statement(
  'message-withdraw',
  `update whatsapp_messages set status = 'failed', timestamp = now(),
     errors = errors || '[{"kind": "replaced", "code": "REPLACED", "text": "It waited too long and went by SMS"}]'
   where id = $1 and status = 'queued' and claimed_at is null returning contact_id`,
)

/** What nobody has taken on yet does not go by WhatsApp any more. */
export async function withdrawMessage(ctx: JobContext, messageId: number): Promise<void> {
  const [row] = await run<{ contact_id: number | null }>(ctx.db, withdrawSql, [messageId])
  if (!row) return
  await publish(ctx, 'message.status-changed', { messageId, contactId: row.contact_id, status: 'failed' })
}
