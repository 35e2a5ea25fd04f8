import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { whatsappConversationThreads as threads, whatsappMessages } from './tables.ts'

/**
 * Only this file writes conversations. Each change publishes `conversation.changed` {contactId}; the caller writes the
 * audit log.
 */
const changed = (ctx: JobContext, contactId: number) => publish(ctx, 'conversation.changed', { contactId })

const openSql = statement(
  'conversation-open',
  `insert into whatsapp_conversation_threads (contact_id, phone_number)
   select id, phone from contacts where id = $1 on conflict (contact_id) do nothing`,
)
const incomingSql = statement(
  'conversation-incoming',
  `insert into whatsapp_conversation_threads as t
     (contact_id, phone_number, last_activity, last_message_id, last_incoming_at, unread_count)
   select id, phone, now(), $2, $3, 1 from contacts where id = $1
   on conflict (contact_id) do update set phone_number = excluded.phone_number, last_activity = now(),
     last_message_id = greatest(t.last_message_id, excluded.last_message_id),
     last_incoming_at = greatest(t.last_incoming_at, excluded.last_incoming_at),
     unread_count = t.unread_count + 1, updated_at = now()`,
)
const outgoingSql = statement(
  'conversation-outgoing',
  `insert into whatsapp_conversation_threads as t (contact_id, phone_number, last_message_id)
   select id, phone, $2 from contacts where id = $1
   on conflict (contact_id) do update set last_activity = now(),
     last_message_id = greatest(t.last_message_id, excluded.last_message_id), updated_at = now()`,
)

export const openConversation = (ctx: JobContext, contactId: number) => run(ctx.db, openSql, [contactId])

/** `at` is the sender's clock; a time in the future is replaced by our own. */
export async function noteIncoming(ctx: JobContext, contactId: number, messageId: number, at: Date): Promise<void> {
  await run(ctx.db, incomingSql, [contactId, messageId, at])
  await changed(ctx, contactId)
}

export async function noteOutgoing(ctx: JobContext, contactId: number, messageId: number): Promise<void> {
  await run(ctx.db, outgoingSql, [contactId, messageId])
  await changed(ctx, contactId)
}

type Change = PgUpdateSetSource<typeof threads>
const set = (ctx: JobContext, contactId: number, values: Change) =>
  ctx.db
    .update(threads)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(threads.contactId, contactId))

async function change(ctx: JobContext, contactId: number, values: Change): Promise<void> {
  await openConversation(ctx, contactId)
  await set(ctx, contactId, values)
  await changed(ctx, contactId)
}

/** Null removes the assignment. */
export const assignConversation = (ctx: JobContext, contactId: number, userId: number | null) =>
  change(ctx, contactId, { assignedTo: userId, assignedAt: userId === null ? null : sql`now()` })

/** How long the bot stays silent after staff have replied. */
export const PAUSE_HOURS = 8

/** Staff take over: pauses the bot for PAUSE_HOURS and ends the handoff. */
export const pauseBot = (ctx: JobContext, contactId: number, userId: number | null, hours = PAUSE_HOURS) =>
  change(ctx, contactId, {
    pausedUntil: sql`now() + ${hours} * interval '1 hour'`,
    pausedBy: userId,
    handoffAt: null,
    handoffReason: null,
  })

/** Pauses the bot after a reply by staff and stores the time of the reply. */
export async function noteHumanReply(ctx: JobContext, contactId: number, userId: number | null): Promise<void> {
  await pauseBot(ctx, contactId, userId)
  await set(ctx, contactId, { humanRepliedAt: sql`now()` })
}

/** Ends the pause and the handoff. */
export const resumeBot = (ctx: JobContext, contactId: number) =>
  change(ctx, contactId, { pausedUntil: null, pausedBy: null, handoffAt: null, handoffReason: null })

/** Marks the conversation as waiting for staff. */
export const requestHandoff = (ctx: JobContext, contactId: number, reason: string) =>
  change(ctx, contactId, { handoffAt: sql`coalesce(${threads.handoffAt}, now())`, handoffReason: reason })

/**
 * Marks all incoming messages as read, or those up to the last one seen, so that one which arrives at the same moment
 * stays unread. Returns the number of unread messages.
 */
export async function markConversationRead(ctx: JobContext, contactId: number, upTo?: number): Promise<number> {
  await openConversation(ctx, contactId)
  const [held] = await ctx.db
    .select({ unreadCount: threads.unreadCount })
    .from(threads)
    .where(eq(threads.contactId, contactId))
    .for('update')
  const isUnread = sql`${whatsappMessages.contactId} = ${contactId} and ${whatsappMessages.direction} = 'incoming'
    and not ${whatsappMessages.readByAdmin}`
  await ctx.db
    .update(whatsappMessages)
    .set({ readByAdmin: true, readAt: sql`now()` })
    .where(upTo === undefined ? isUnread : sql`${isUnread} and ${whatsappMessages.id} <= ${upTo}`)
  // A concurrent incoming message waits for the row locked above and adds itself to the count.
  const [left] = await ctx.db.select({ count: sql<number>`count(*)::int` }).from(whatsappMessages).where(isUnread)
  const unreadCount = left?.count ?? 0
  if (held?.unreadCount === unreadCount) return unreadCount
  await set(ctx, contactId, { unreadCount })
  await changed(ctx, contactId)
  await publish(ctx, 'conversation.read', { contactId })
  return unreadCount
}

/** Stores the Telegram topic that mirrors the conversation; null if it was deleted. */
export const bindTopic = (ctx: JobContext, contactId: number, threadId: string | null, threadName?: string) =>
  change(ctx, contactId, { telegramThreadId: threadId, ...(threadName ? { threadName } : {}) })
