import type { Parsed } from '@qatra/contract/endpoint'
import type { Conversation, Note } from '@qatra/contract/whatsapp/inbox/inbox'
import type * as api from '@qatra/contract/whatsapp/inbox/work'
import { MOST_LABELS, MOST_SNOOZE_DAYS } from '@qatra/contract/whatsapp/inbox/work'
import { and, eq, gt } from 'drizzle-orm'
import { setBlocked, setOptOut } from '../conversations/contacts.commands.ts'
import * as conversations from '../conversations/conversations.commands.ts'
import { isStaffInReach, requireReachedContact } from '../conversations/policy.ts'
import { whatsappMessages as messages, whatsappConversationThreads as threads } from '../conversations/tables.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit, enqueue, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { users } from '../users/tables.ts'
import { lockContact, recordAction } from './commands.ts'
import { listNotes } from './detail.queries.ts'
import { requireAnswerer } from './people.queries.ts'
import { requireConversation, requireThread } from './queries.ts'
import { conversationNotes } from './tables.ts'

/** @throws CONVERSATION_TAKEN with the name, if somebody else than `from` has it */
export async function assign(
  ctx: Ctx,
  idOrPhone: string,
  { userId, from }: Parsed<typeof api.assignConversation>['body'],
): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const { assignedTo } = await lockContact(ctx, id)
  if (assignedTo === userId) return requireConversation(ctx, id)
  if (assignedTo !== from) throw new AppError('CONVERSATION_TAKEN', await holderOf(ctx, assignedTo))
  if (userId !== null) await requireAnswerer(ctx, userId, id)
  await conversations.assignConversation(ctx, id, userId)
  const change = { field: 'assignedTo', from: assignedTo, to: userId }
  await recordAction(ctx, id, userId === null ? 'released' : 'assigned', change)
  return requireConversation(ctx, id)
}

async function holderOf({ db, actor }: Ctx, userId: number | null) {
  if (userId === null) return { name: null }
  const [row] = await db
    .select({ name: users.name })
    .from(users)
    .where(and(eq(users.id, userId), isStaffInReach(actor, users)))
  return { name: row?.name ?? null }
}

export async function takeOver(ctx: Ctx, idOrPhone: string, hours: number | undefined): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const { isPaused } = await lockContact(ctx, id)
  await conversations.pauseBot(ctx, id, userOf(ctx).id, hours)
  // Extending the pause is not logged as another takeover.
  if (!isPaused) await recordAction(ctx, id, 'taken-over')
  return requireConversation(ctx, id)
}

export async function handBack(ctx: Ctx, idOrPhone: string): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const { isPaused } = await lockContact(ctx, id)
  await conversations.resumeBot(ctx, id, userOf(ctx).id)
  if (isPaused) await recordAction(ctx, id, 'handed-back')
  return requireConversation(ctx, id)
}

const RATING_SECONDS = 60

/** @throws CONVERSATION_CHANGED if the customer wrote after the last message seen */
export async function resolve(ctx: Ctx, idOrPhone: string, upTo: number | null): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const { doneAt } = await lockContact(ctx, id)
  if (doneAt !== null) return requireConversation(ctx, id)
  const [newer] = await ctx.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.contactId, id), eq(messages.direction, 'incoming'), gt(messages.id, upTo ?? 0)))
    .limit(1)
  if (newer) throw new AppError('CONVERSATION_CHANGED')
  const ended = await conversations.resolve(ctx, id, userOf(ctx).id)
  // Later, so that "done" can be undone before.
  if (ended) await enqueue(ctx, 'conversation-ratings', { caseId: ended.id }, RATING_SECONDS)
  await recordAction(ctx, id, 'resolved')
  return requireConversation(ctx, id)
}

export async function reopen(ctx: Ctx, idOrPhone: string): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const { doneAt } = await lockContact(ctx, id)
  if (doneAt === null) return requireConversation(ctx, id)
  await conversations.reopen(ctx, id)
  await recordAction(ctx, id, 'reopened')
  return requireConversation(ctx, id)
}

const DAY_MS = 86_400_000

/** @throws SNOOZE_NOT_AVAILABLE for a time that has passed or is too far, and for a conversation that is done */
export async function snooze(ctx: Ctx, idOrPhone: string, until: string | null): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const { doneAt } = await lockContact(ctx, id)
  const time = until === null ? null : new Date(until)
  const ahead = time === null ? 1 : time.getTime() - ctx.now.getTime()
  if (ahead <= 0 || ahead > MOST_SNOOZE_DAYS * DAY_MS || (time !== null && doneAt !== null)) {
    throw new AppError('SNOOZE_NOT_AVAILABLE')
  }
  await conversations.snooze(ctx, id, time)
  if (until !== null) await recordAction(ctx, id, 'snoozed', { field: 'snoozedUntil', from: null, to: until })
  return requireConversation(ctx, id)
}

/** Adds and removes under the lock, so that two people's labels both stay. @throws LABELS_FULL */
export async function changeLabels(
  ctx: Ctx,
  idOrPhone: string,
  { add, remove }: Parsed<typeof api.changeLabels>['body'],
): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  await lockContact(ctx, id)
  const [row] = await ctx.db.select({ labels: threads.labels }).from(threads).where(eq(threads.contactId, id))
  const before = row?.labels ?? []
  const labels = [...new Set([...before, ...add])].filter((label) => !remove.includes(label))
  if (labels.length > MOST_LABELS) throw new AppError('LABELS_FULL')
  if (labels.length !== before.length || labels.some((label) => !before.includes(label))) {
    await conversations.setLabels(ctx, id, labels)
    // Labels are free text about a person: the log outlives the contact, so it has their number alone.
    await recordAction(ctx, id, 'labelled', { field: 'labels', from: before.length, to: labels.length })
  }
  return requireConversation(ctx, id)
}

export async function mute(ctx: Ctx, idOrPhone: string, isMuted: boolean): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  await requireThread(ctx, id)
  await conversations.mute(ctx, id, userOf(ctx).id, isMuted)
  return requireConversation(ctx, id)
}

/**
 * A blocked customer waits for nobody, or not for the vendor whose staff blocked: the conversation is done, or released.
 * The reason is free text, so the log has none.
 */
export async function block(ctx: Ctx, idOrPhone: string, reason: string | null): Promise<Conversation> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  const before = await requireConversation(ctx, id)
  await lockContact(ctx, id)
  const { id: userId, vendorId } = userOf(ctx)
  const isForAll = await setBlocked(ctx, id, { vendorId, by: reason === null ? null : { reason, userId } })
  if ((before.blocked !== null) !== (reason !== null))
    await recordAction(ctx, id, reason === null ? 'unblocked' : 'blocked')
  if (isForAll && before.doneAt === null) await conversations.resolve(ctx, id, null)
  else if (reason !== null && before.assignedTo?.id === userId) await conversations.assignConversation(ctx, id, null)
  else await publish(ctx, 'conversation.changed', { contactId: id })
  return requireConversation(ctx, id)
}

/** The audit log records that a note was written, not its text. */
export async function addNote(ctx: Ctx, idOrPhone: string, body: string): Promise<Note> {
  const { id: contactId } = await requireReachedContact(ctx, idOrPhone)
  await requireThread(ctx, contactId)
  const { id: authorId, vendorId } = userOf(ctx)
  await ctx.db.insert(conversationNotes).values({ contactId, authorId, vendorId, body })
  await emit(ctx, { name: 'conversation.noted', action: 'note-added', resource: 'conversation', id: contactId })
  await publish(ctx, 'conversation.changed', { contactId })
  const [newest] = await listNotes(ctx, contactId)
  if (!newest) throw new Error('The note was written a moment ago')
  return newest
}

export async function changeOptOut(ctx: Ctx, idOrPhone: string, isOut: boolean): Promise<Conversation> {
  const { id, opted_out_at: before } = await requireReachedContact(ctx, idOrPhone)
  if ((before !== null) !== isOut) {
    await setOptOut(ctx, id, { isOut, source: 'office' })
    const action = isOut ? 'opted-out' : 'opted-in'
    await emit(ctx, { name: `conversation.${action}`, action, resource: 'conversation', id })
    await publish(ctx, 'conversation.changed', { contactId: id })
  }
  return requireConversation(ctx, id)
}
