import { type Db, run, statement } from '../database/db.ts'
import { allInOrder, type JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { type Outgoing, problemOf, wordsOf } from '../providers/message.ts'
import { applyReceipt, type NewMessage, type OrphanReceipt, publishStatus, type StatusRow } from './commands.ts'
import { admitContact } from './contacts.commands.ts'
import { isWindowOpen } from './contacts.queries.ts'
import { pauseAfterStaffReply, recordOutgoing } from './conversations.commands.ts'
import { type Channel, countStatus } from './metrics.ts'

export interface ToSend {
  /** A contact, or a phone whose contact is created if missing. */
  to: { contactId: number } | { phone: string }
  message: Outgoing
  /** A second message with the same key is not sent. Without a key each call sends a message. */
  dedupeKey?: string
  /** Author; `staff` pauses the bot. */
  by: { type: 'bot' | 'system' | 'campaign' } | { type: 'staff'; userId: number }
  /** Provider's id of the message that this one replies to. */
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
 * Queues an outgoing message; it is sent after the commit. Messages of one contact are sent in the order in which they
 * were queued. `inSeconds`: delay of the sending job for callers that send it themselves right after the commit; the
 * job then finds nothing left.
 * @returns the message's id; null if this `dedupeKey` was queued before
 * @throws SERVICE_WINDOW_CLOSED for anything but a template after 24 hours; MESSAGE_REFUSED for messages that no
 * provider accepts
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
  await recordOutgoing(ctx, contactId, row.id)
  // A reaction answers nothing.
  if (by.type === 'staff' && message.type !== 'reaction') await pauseAfterStaffReply(ctx, contactId, by.userId)
  await enqueue(ctx, 'send-messages', { contactId }, inSeconds)
  return { messageId: row.id, contactId }
}

/** As `queueMessage`, but null if the service window is closed: for replies whose effect must hold without them. */
export async function queueIfOpen(ctx: JobContext, toSend: ToSend & { to: { contactId: number } }) {
  return (await hasOpenWindow(ctx, toSend.to.contactId)) ? queueMessage(ctx, toSend) : null
}

/** Whether the customer's last message is recent enough for free text. */
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
  /** How often the provider answered that it was busy. */
  refusals: number
  /** The message that it replies or reacts to. */
  context: { messageId: string; isOwn: boolean; text: string } | null
}

const lockSql = statement(
  'sending-hold',
  'select id from whatsapp_conversation_threads where contact_id = $1 for update',
)
// One at a time per contact, oldest first; later messages wait behind one that the provider asked to send later. Claims
// of a dead worker are left to the sweeper.
const claimSql = statement(
  'sending-claim',
  `update whatsapp_messages m set claimed_at = now() from contacts c
   where c.id = m.contact_id and m.id = (
       select id from whatsapp_messages
       where contact_id = $1 and direction = 'outgoing' and status = 'queued' and payload is not null order by id limit 1)
     and m.claimed_at is null and m.status = 'queued' and coalesce(m.send_after <= now(), true)
   returning m.id, m.payload, c.phone, c.business_scoped_id,
     (select json_build_object('messageId', q.message_id, 'isOwn', q.direction = 'outgoing',
        'text', left(coalesce(q.content, ''), 500))
      from whatsapp_messages q where q.message_id = m.context_message_id and q.contact_id = m.contact_id) as context,
     (select count(*)::int from jsonb_array_elements(m.errors) e where e ->> 'kind' in ('busy', 'stopped')) as refusals`,
)

/** Claims the next message of a contact; null if there is none or another worker has one. Needs a transaction. */
export async function claimNext({ db }: { db: Db }, contactId: number): Promise<Claimed | null> {
  const [, [row]] = await allInOrder([run(db, lockSql, [contactId]), run<Claimed>(db, claimSql, [contactId])])
  return row ?? null
}

const requeueSql = statement(
  'sending-back',
  `update whatsapp_messages set claimed_at = null, errors = errors || $2::jsonb,
     send_after = now() + $3::integer * interval '1 second'
   where id = $1 and status = 'queued' returning contact_id, channel`,
)

/** Returns a message that the provider certainly did not accept to the queue, to be sent after so many seconds. */
export async function requeue(
  ctx: Pick<JobContext, 'db' | 'afterCommit'>,
  id: number,
  { error, inSeconds }: { error: object; inSeconds: number },
): Promise<void> {
  const errors = JSON.stringify([{ ...error, at: new Date().toISOString() }])
  const [row] = await run<{ contact_id: number | null; channel: Channel }>(ctx.db, requeueSql, [id, errors, inSeconds])
  if (row) ctx.afterCommit(() => countStatus(row.channel, 'postponed'))
  if (row && row.contact_id !== null) await enqueue(ctx, 'send-messages', { contactId: row.contact_id }, inSeconds)
}

const lostSql = statement(
  'sending-lost',
  `update whatsapp_messages set status = 'unknown', timestamp = now(),
     errors = errors || '[{"kind": "unknown", "code": "LOST", "text": "The worker ended before the provider answered"}]'
   where direction = 'outgoing' and status = 'queued' and claimed_at < now() - interval '2 minutes'
   returning id, contact_id, channel, sent_by_type`,
)
const lateSql = statement(
  'sending-late-receipts',
  `select o.message_id, o.status, o.at, o.error, o.pricing from orphan_receipts o
   join whatsapp_messages m on m.message_id = o.message_id limit 500`,
)
const joinedSql = statement('sending-joined', 'delete from orphan_receipts where message_id = any($1::text[])')
const waitingSql = statement(
  'sending-waiting',
  `select distinct contact_id from whatsapp_messages
   where direction = 'outgoing' and status = 'queued' and claimed_at is null and payload is not null
     and contact_id is not null and coalesce(send_after, created_at) < now() - interval '5 minutes' limit 500`,
)

/** Marks claims of a dead worker as `unknown`, which are never sent again; enqueues jobs for unclaimed messages. */
export async function sweepSending(ctx: JobContext): Promise<void> {
  const lost = await run<StatusRow & { channel: Channel }>(ctx.db, lostSql)
  for (const message of lost) {
    await publishStatus(ctx, message, 'unknown')
    ctx.afterCommit(() => countStatus(message.channel, 'unknown'))
  }
  // Receipts that arrived at the moment in which the message's id was stored.
  const late = await run<OrphanReceipt & { message_id: string }>(ctx.db, lateSql)
  for (const { message_id: messageId, status, at, error, pricing } of late) {
    await applyReceipt(ctx, { messageId, reference: null, status, at, error: error ?? undefined, pricing })
  }
  if (late.length > 0) await run(ctx.db, joinedSql, [late.map((one) => one.message_id)])
  const waiting = await run<{ contact_id: number }>(ctx.db, waitingSql)
  for (const contactId of new Set([...waiting, ...lost].map((row) => row.contact_id))) {
    if (contactId !== null) await enqueue(ctx, 'send-messages', { contactId })
  }
}

const withdrawSql = statement(
  'message-withdraw',
  `update whatsapp_messages set status = 'failed', timestamp = now(),
     errors = errors || '[{"kind": "replaced", "code": "REPLACED", "text": "It waited too long and went by SMS"}]'
   where id = $1 and status = 'queued' and claimed_at is null returning id, contact_id, sent_by_type`,
)

/** Withdraws a message that no worker has claimed. */
export async function withdrawMessage(ctx: JobContext, messageId: number): Promise<void> {
  const [row] = await run<StatusRow>(ctx.db, withdrawSql, [messageId])
  if (row) await publishStatus(ctx, row, 'failed')
}

const preventSql = statement(
  'message-prevent',
  `insert into whatsapp_messages (dedupe_key, contact_id, to_number, direction, channel, message_type, content, status,
     timestamp, sent_by_type)
   values ($1, (select id from contacts where phone = $2), $2, 'outgoing', $3, $4, $5, 'failed', now(), 'system')
   on conflict (dedupe_key) do update set status = 'failed', timestamp = now(),
     errors = whatsapp_messages.errors || '[{"kind": "replaced", "code": "REPLACED", "text": "It went by another channel"}]'
   where whatsapp_messages.status not in ('delivered', 'read')
   returning id, contact_id, sent_by_type`,
)

/**
 * Fails a message that was not delivered, sent or not, before another channel takes its place; one that was not claimed
 * yet cannot be claimed any more. False if it was delivered.
 */
export async function preventMessage(ctx: JobContext, message: NewMessage): Promise<boolean> {
  const { dedupeKey, to, channel, type, content } = message
  const values = [dedupeKey, to, channel, type, content]
  const [row] = await run<StatusRow>(ctx.db, preventSql, values)
  if (row) await publishStatus(ctx, row, 'failed')
  return row !== undefined
}
