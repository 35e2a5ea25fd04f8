import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue, publish } from '../jobs/domain-events.ts'
import { answerCase, beginCase, endCase, reopenCase } from './cases.commands.ts'
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
// A message after the end of the last matter begins a new one with the bot; `waits` before or while staff answer.
const incomingSql = statement(
  'conversation-incoming',
  `insert into whatsapp_conversation_threads as t
     (contact_id, phone_number, last_activity, last_message_id, last_incoming_at)
   select id, phone, now(), $2, $3 from contacts where id = $1
   on conflict (contact_id) do update set phone_number = excluded.phone_number, last_activity = now(),
     last_message_id = greatest(t.last_message_id, excluded.last_message_id),
     last_incoming_at = greatest(t.last_incoming_at, excluded.last_incoming_at), updated_at = now()
   returning $4::boolean and done_at is not null as "isNewMatter",
     $4::boolean and done_at is null and (handoff_at is not null or paused_until > now()) as "isAwaited",
     handoff_at is null as "isNewWait"`,
)
const outgoingSql = statement(
  'conversation-outgoing',
  `insert into whatsapp_conversation_threads as t (contact_id, phone_number, last_message_id)
   select id, phone, $2 from contacts where id = $1
   on conflict (contact_id) do update set last_activity = now(),
     last_message_id = greatest(t.last_message_id, excluded.last_message_id), updated_at = now()`,
)

export const openConversation = (ctx: JobContext, contactId: number) => run(ctx.db, openSql, [contactId])

type Change = PgUpdateSetSource<typeof threads>
const set = (ctx: JobContext, contactId: number, values: Change) =>
  ctx.db
    .update(threads)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(threads.contactId, contactId))

const noHandoff = { handoffAt: null, handoffReason: null, handoffOrderId: null } satisfies Change

/** State while the bot answers. */
const botAnswers = {
  pausedUntil: null,
  pausedBy: null,
  ...noHandoff,
  staffSince: null,
  snoozedUntil: null,
  unreadCount: 0,
} satisfies Change

/** State while the bot answers and nobody is responsible. */
const withBot = { ...botAnswers, assignedTo: null, assignedAt: null } satisfies Change

interface IncomingState {
  isNewMatter: boolean
  isAwaited: boolean
  isNewWait: boolean
}

/**
 * `at` is the sender's clock; a time in the future is replaced by our own. `isForPerson` is false for messages that
 * nobody answers. Returns whether the customer waits for staff, so that the message is one for them.
 */
export async function recordIncoming(
  ctx: JobContext,
  contactId: number,
  { messageId, at, isForPerson }: { messageId: number; at: Date; isForPerson: boolean },
): Promise<boolean> {
  const [state] = await run<IncomingState>(ctx.db, incomingSql, [contactId, messageId, at, isForPerson])
  if (state?.isNewMatter) await set(ctx, contactId, { ...withBot, doneAt: null })
  if (state?.isAwaited) {
    if (state.isNewWait) await beginCase(ctx, contactId)
    await set(ctx, contactId, {
      handoffAt: sql`coalesce(${threads.handoffAt}, now())`,
      snoozedUntil: null,
      unreadCount: sql`${threads.unreadCount} + 1`,
    })
  }
  await changed(ctx, contactId)
  return state?.isAwaited ?? false
}

export async function recordOutgoing(ctx: JobContext, contactId: number, messageId: number): Promise<void> {
  await run(ctx.db, outgoingSql, [contactId, messageId])
  await changed(ctx, contactId)
}

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

/** Pauses the bot for PAUSE_HOURS; the customer waits until staff reply. */
export const pauseBot = (ctx: JobContext, contactId: number, userId: number | null, hours = PAUSE_HOURS) =>
  change(ctx, contactId, pause(userId, hours))

const pause = (userId: number | null, hours = PAUSE_HOURS): Change => ({
  pausedUntil: sql`now() + ${hours} * interval '1 hour'`,
  pausedBy: userId,
  staffSince: sql`coalesce(${threads.staffSince}, now())`,
  doneAt: null,
})

/** Pauses the bot after a reply by staff, which ends the customer's waiting. */
export async function pauseAfterStaffReply(ctx: JobContext, contactId: number, userId: number | null): Promise<void> {
  await answerCase(ctx, contactId, userId)
  await change(ctx, contactId, {
    ...pause(userId),
    ...noHandoff,
    humanRepliedAt: sql`now()`,
    unreadCount: 0,
  })
}

/** Ends the pause and the handoff after an answering action of staff; the assignment stays. */
export async function letBotAnswer(ctx: JobContext, contactId: number, userId: number): Promise<void> {
  await answerCase(ctx, contactId, userId)
  await endCase(ctx, contactId, userId)
  await change(ctx, contactId, botAnswers)
}

/** Ends the pause, the handoff and the assignment; by staff, or null: by the customer. */
export async function resumeBot(ctx: JobContext, contactId: number, userId: number | null): Promise<void> {
  await endCase(ctx, contactId, userId)
  await change(ctx, contactId, withBot)
}

const isUnreadOf = (contactId: number) => sql`${whatsappMessages.contactId} = ${contactId}
  and ${whatsappMessages.direction} = 'incoming' and not ${whatsappMessages.readByAdmin}`

const isAnyUnread = (contactId: number) =>
  sql`exists (select from ${whatsappMessages} where ${isUnreadOf(contactId)})::int`

/** Number of unread messages after the last one that was sent. */
const unansweredOf = (contactId: number) => sql`(select count(*)::int from ${whatsappMessages}
  where ${isUnreadOf(contactId)} and ${whatsappMessages.messageType} <> 'reaction' and ${whatsappMessages.id} > coalesce(
    (select max(sent.id) from ${whatsappMessages} sent where sent.contact_id = ${contactId} and sent.direction = 'outgoing'), 0))`

/**
 * Marks the conversation as waiting for staff, about an order if one is meant. Publishes `conversation.waiting`
 * {contactId} when it begins to wait.
 */
export async function requestHandoff(
  ctx: JobContext,
  contactId: number,
  reason: string,
  orderId: string | null = null,
): Promise<void> {
  await openConversation(ctx, contactId)
  const [before] = await ctx.db
    .select({ handoffAt: threads.handoffAt })
    .from(threads)
    .where(and(eq(threads.contactId, contactId), isNull(threads.doneAt)))
    .for('update')
  if (!before?.handoffAt) await beginCase(ctx, contactId)
  await change(ctx, contactId, {
    handoffAt: sql`case when ${threads.doneAt} is null then coalesce(${threads.handoffAt}, now()) else now() end`,
    // A person who waits already was called for something.
    handoffReason:
      reason === 'not-understood'
        ? sql`coalesce(case when ${threads.doneAt} is null then ${threads.handoffReason} end, ${reason})`
        : reason,
    handoffOrderId: sql`coalesce(${orderId}, ${threads.handoffOrderId})`,
    staffSince: sql`coalesce(${threads.staffSince}, now())`,
    // Zero if staff have read the message already. The bot has answered all but the last; without it nobody has.
    unreadCount: sql`greatest(${threads.unreadCount}, ${reason === 'no-bot' ? unansweredOf(contactId) : isAnyUnread(contactId)})`,
    doneAt: null,
    snoozedUntil: null,
  })
  if (!before?.handoffAt) await publish(ctx, 'conversation.waiting', { contactId })
}

/** Done until the customer writes again. The rest of the state is kept, so that `reopen` undoes it. Null: blocked. */
export async function resolve(ctx: JobContext, contactId: number, userId: number | null) {
  await change(ctx, contactId, { doneAt: sql`now()`, snoozedUntil: null, unreadCount: 0 })
  return endCase(ctx, contactId, userId)
}

export async function reopen(ctx: JobContext, contactId: number): Promise<void> {
  await reopenCase(ctx, contactId)
  await change(ctx, contactId, { doneAt: null })
}

/** Publishes `conversation.late` {contactId} once for each wait longer than `minutes`. */
export async function alarmOfLate(ctx: JobContext, minutes: number): Promise<void> {
  const late = await ctx.db
    .update(threads)
    .set({ lateToldAt: sql`now()` })
    .where(
      sql`${threads.handoffAt} <= now() - ${minutes} * interval '1 minute' and ${threads.doneAt} is null
        and coalesce(${threads.snoozedUntil} <= now(), true)
        and coalesce(${threads.lateToldAt} < ${threads.handoffAt}, true)`,
    )
    .returning({ contactId: threads.contactId })
  for (const row of late) await publish(ctx, 'conversation.late', row)
}

/** Null ends the snooze. The job at that time finds a later or an ended snooze and does nothing then. */
export async function snooze(ctx: JobContext & { now: Date }, contactId: number, until: Date | null): Promise<void> {
  await change(ctx, contactId, { snoozedUntil: until })
  if (until === null) return
  // Both in the database's time, so that the job never comes early.
  await enqueue(ctx, 'conversation-snooze', { contactId }, Math.ceil((until.getTime() - ctx.now.getTime()) / 1_000))
}

/**
 * Brings a conversation back whose snooze has ended: it waits for staff, also if they replied before. Without a contact
 * all of them: a job that ran while its contact was merged found nothing.
 */
export async function wake(ctx: JobContext, contactId: number | undefined): Promise<void> {
  const woken = await ctx.db
    .update(threads)
    .set({
      snoozedUntil: null,
      handoffAt: sql`coalesce(${threads.handoffAt}, now())`,
      handoffReason: sql`coalesce(${threads.handoffReason}, 'snoozed')`,
      staffSince: sql`coalesce(${threads.staffSince}, now())`,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        contactId === undefined ? undefined : eq(threads.contactId, contactId),
        sql`${threads.snoozedUntil} <= now()`,
      ),
    )
    .returning({ contactId: threads.contactId })
  for (const row of woken) {
    await changed(ctx, row.contactId)
    await publish(ctx, 'conversation.waiting', row)
  }
}

export const mute = (ctx: JobContext, contactId: number, userId: number, isMuted: boolean) =>
  change(ctx, contactId, {
    mutedBy: isMuted
      ? sql`array(select distinct unnest(${threads.mutedBy} || ${userId}::integer))`
      : sql`array_remove(${threads.mutedBy}, ${userId}::integer)`,
  })

export const setLabels = (ctx: JobContext, contactId: number, labels: string[]) => change(ctx, contactId, { labels })

/**
 * Marks all incoming messages as read, or those up to the last one seen, so that one which arrives at the same moment
 * stays unread. Returns the number of unread messages.
 */
export async function markConversationRead(ctx: JobContext, contactId: number, upTo?: number): Promise<number> {
  await openConversation(ctx, contactId)
  const [held] = await ctx.db
    .select({ unreadCount: threads.unreadCount, handoffAt: threads.handoffAt, doneAt: threads.doneAt })
    .from(threads)
    .where(eq(threads.contactId, contactId))
    .for('update')
  const isUnread = isUnreadOf(contactId)
  await ctx.db
    .update(whatsappMessages)
    .set({ readByAdmin: true, readAt: sql`now()` })
    .where(upTo === undefined ? isUnread : sql`${isUnread} and ${whatsappMessages.id} <= ${upTo}`)
  // A concurrent incoming message waits for the row locked above and adds itself to the count.
  const [left] = await ctx.db
    .select({
      all: sql<number>`count(*)::int`,
      whileWaiting: sql<number>`count(*) filter (where ${whatsappMessages.createdAt} >= ${threads.handoffAt})::int`,
    })
    .from(whatsappMessages)
    .innerJoin(threads, eq(threads.contactId, whatsappMessages.contactId))
    .where(isUnread)
  const isWaiting = held?.handoffAt && !held.doneAt
  // The message for which the bot handed over is older than the handoff.
  const unreadCount = isWaiting && left ? Math.max(left.whileWaiting, Math.min(left.all, 1)) : 0
  if (held?.unreadCount === unreadCount) return unreadCount
  await set(ctx, contactId, { unreadCount })
  await changed(ctx, contactId)
  await publish(ctx, 'conversation.read', { contactId })
  return unreadCount
}

/** Stores the Telegram topic that mirrors the conversation; null if it was deleted. */
export const bindTopic = (ctx: JobContext, contactId: number, threadId: string | null, threadName?: string) =>
  change(ctx, contactId, { telegramThreadId: threadId, ...(threadName ? { threadName } : {}) })
