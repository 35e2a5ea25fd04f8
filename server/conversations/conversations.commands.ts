import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { whatsappConversationThreads as threads, whatsappMessages } from './tables.ts'

/**
 * The one writer of conversations. Each act is announced as `conversation.changed` {contactId}; who did it, and the
 * line in the audit log, is the caller's.
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

/** `at` by the sender's clock, which is not believed where it runs ahead. */
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

/** Null gives it back to everybody. */
export const assignConversation = (ctx: JobContext, contactId: number, userId: number | null) =>
  change(ctx, contactId, { assignedTo: userId, assignedAt: userId === null ? null : sql`now()` })

/** How long the bot is silent after a person of the shop has written. */
export const PAUSE_HOURS = 8

/** A person takes over: the bot is silent for so long, and nobody waits any more. */
export const pauseBot = (ctx: JobContext, contactId: number, userId: number | null, hours = PAUSE_HOURS) =>
  change(ctx, contactId, {
    pausedUntil: sql`now() + ${hours} * interval '1 hour'`,
    pausedBy: userId,
    handoffAt: null,
    handoffReason: null,
  })

/** A person of the shop wrote: takes over, and is remembered as having replied. */
export async function noteHumanReply(ctx: JobContext, contactId: number, userId: number | null): Promise<void> {
  await pauseBot(ctx, contactId, userId)
  await set(ctx, contactId, { humanRepliedAt: sql`now()` })
}

/** The conversation is the bot's again. */
export const resumeBot = (ctx: JobContext, contactId: number) =>
  change(ctx, contactId, { pausedUntil: null, pausedBy: null, handoffAt: null, handoffReason: null })

/** The customer waits for a person; announced as `conversation.handoff` {contactId, reason}. */
export async function askForPerson(ctx: JobContext, contactId: number, reason: string): Promise<void> {
  await change(ctx, contactId, { handoffAt: sql`coalesce(${threads.handoffAt}, now())`, handoffReason: reason })
  await publish(ctx, 'conversation.handoff', { contactId, reason })
}

/**
 * What came in is read, by whoever of the shop: everything, or up to the message that was seen, so that one which comes
 * in that very moment stays unread. Answers how many are.
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
  // Whoever brings another one waits for the row held above, and counts it on top.
  const [left] = await ctx.db.select({ count: sql<number>`count(*)::int` }).from(whatsappMessages).where(isUnread)
  const unreadCount = left?.count ?? 0
  if (held?.unreadCount === unreadCount) return unreadCount
  await set(ctx, contactId, { unreadCount })
  await changed(ctx, contactId)
  await publish(ctx, 'conversation.read', { contactId })
  return unreadCount
}

/** The Telegram topic that mirrors it; null where it is gone. */
export const bindTopic = (ctx: JobContext, contactId: number, threadId: string | null, threadName?: string) =>
  change(ctx, contactId, { telegramThreadId: threadId, ...(threadName ? { threadName } : {}) })
