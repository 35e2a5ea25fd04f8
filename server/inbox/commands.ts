import { isDeepStrictEqual } from 'node:util'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type * as api from '@qatra/contract/whatsapp/inbox/inbox'
import type { Conversation } from '@qatra/contract/whatsapp/inbox/inbox'
import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { type Contact, requireContact } from '../conversations/contacts.queries.ts'
import * as conversations from '../conversations/conversations.commands.ts'
import { isStaffInReach, requireReachedContact } from '../conversations/policy.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { whatsappMessages as messages, whatsappConversationThreads as threads } from '../conversations/tables.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import type { Outgoing } from '../providers/message.ts'
import { users } from '../users/tables.ts'
import {
  findByKey,
  findKept,
  lockMessage,
  mayRetry,
  requireMessage,
  requireQuotable,
  retryKey,
} from './messages.queries.ts'
import { requireConversation } from './queries.ts'
import { requireTemplate } from './templates.queries.ts'
import { attachFile, messageWithFile } from './uploads.commands.ts'

type Act = api.ConversationAction['act'] | 'labelled'

/** Audit log entry of a conversation: actor and action, never message texts. */
export const recordAction = (
  ctx: Ctx,
  contactId: number,
  act: Act,
  change?: { field: string; from: unknown; to: unknown },
) =>
  emit(ctx, {
    name: `conversation.${act}`,
    action: act,
    resource: 'conversation',
    id: contactId,
    changes: change ? [change] : [],
  })

/** Locks the contact until the transaction ends, so that concurrent actions are serialized. */
export async function lockContact({ db }: Ctx, contactId: number) {
  const [row] = await db
    .select({
      assignedTo: threads.assignedTo,
      doneAt: threads.doneAt,
      isPaused: sql<boolean>`coalesce(${threads.pausedUntil} > now(), false)`,
    })
    .from(threads)
    .where(eq(threads.contactId, contactId))
    .for('update')
  return row ?? { assignedTo: null, doneAt: null, isPaused: false }
}

/**
 * Queues a reply by staff; it is sent after the commit. Pauses the bot, and assigns the conversation to the author if
 * it is unassigned.
 */
export async function sendReply(
  ctx: Ctx,
  idOrPhone: string,
  body: Parsed<typeof api.sendReply>['body'],
): Promise<Message> {
  const contact = await requireReachedContact(ctx, idOrPhone)
  const { message, contextId } = await messageOf(ctx, contact, body)
  const { idempotencyKey } = ctx.client
  const dedupeKey = idempotencyKey ? `reply:${userOf(ctx).id}:${idempotencyKey}` : undefined
  return answer(ctx, contact, message, { dedupeKey, contextId, seen: body.seen })
}

interface Answered {
  message: Outgoing
  /** Provider's id of the message that it quotes or reacts to. */
  contextId?: string | undefined
}

async function messageOf(ctx: Ctx, contact: Contact, body: Parsed<typeof api.sendReply>['body']): Promise<Answered> {
  const { template, file, location, reaction, replyTo } = body
  if (template) return { message: await requireTemplate(ctx, contact, template) }
  if (reaction) {
    const messageId = await requireQuotable(ctx, contact.id, reaction.messageId)
    return { message: { type: 'reaction', messageId, emoji: reaction.emoji ?? '' }, contextId: messageId }
  }
  const contextId = replyTo === undefined ? undefined : await requireQuotable(ctx, contact.id, replyTo)
  if (location) return { message: { type: 'location', ...location }, contextId }
  if (file) return { message: await messageWithFile(ctx, file, body.body), contextId }
  return { message: { type: 'text', text: body.body ?? '', hasPreview: true }, contextId }
}

interface AnswerOptions {
  dedupeKey: string | undefined
  contextId?: string | undefined
  seen?: number | undefined
}

async function answer(ctx: Ctx, contact: Contact, message: Outgoing, { dedupeKey, contextId, seen }: AnswerOptions) {
  const { id: userId } = userOf(ctx)
  if (dedupeKey !== undefined) {
    const first = await findFirst(ctx, contact, message, dedupeKey)
    if (first) return first
  }
  const before = await lockContact(ctx, contact.id)
  if (seen !== undefined && message.type !== 'reaction') await requireUnanswered(ctx, contact.id, seen)
  const queued = await queueMessage(ctx, {
    to: { contactId: contact.id },
    message,
    by: { type: 'staff', userId },
    ...(dedupeKey === undefined ? {} : { dedupeKey }),
    ...(contextId === undefined ? {} : { contextId }),
  })
  if (!queued) return (await findFirst(ctx, contact, message, dedupeKey ?? '')) ?? requireMessage(ctx, 0)
  if ('file' in message) await attachFile(ctx, queued.messageId, message)
  if (message.type === 'reaction') return requireMessage(ctx, queued.messageId)
  const isNobodys = before.assignedTo === null
  if (isNobodys) await conversations.assignConversation(ctx, contact.id, userId)
  if (!before.isPaused || isNobodys) {
    await recordAction(
      ctx,
      contact.id,
      'taken-over',
      isNobodys ? { field: 'assignedTo', from: null, to: userId } : undefined,
    )
  }
  return requireMessage(ctx, queued.messageId)
}

/** @throws CONVERSATION_ANSWERED if a colleague has answered after this message. Needs the lock of the contact. */
async function requireUnanswered(ctx: Ctx, contactId: number, seen: number): Promise<void> {
  const { id: userId } = userOf(ctx)
  const [other] = await ctx.db
    .select({ name: users.name })
    .from(messages)
    .leftJoin(users, and(eq(users.id, messages.sentByUserId), isStaffInReach(ctx.actor, users)))
    .where(
      and(
        eq(messages.contactId, contactId),
        gt(messages.id, seen),
        inArray(messages.sentByType, ['staff', 'phone']),
        ne(messages.messageType, 'reaction'),
        sql`${messages.sentByUserId} is distinct from ${userId}`,
      ),
    )
    .limit(1)
  if (other) throw new AppError('CONVERSATION_ANSWERED', { name: other.name })
}

/**
 * Outside the service window only a template can be sent; contacts that opted out cannot be contacted first. Pauses the
 * bot after a template that asks for an answer.
 */
export async function startConversation(
  ctx: Ctx,
  { codeCountries }: Pick<Config, 'codeCountries'>,
  { phone, template }: Parsed<typeof api.startConversation>['body'],
): Promise<Conversation> {
  if (!mayGetWhatsapp(phone, codeCountries)) throw new AppError('PHONE_NOT_REACHED')
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  const contact = await requireContact(ctx.db, String(contactId))
  if (contact.opted_out_at !== null) throw new AppError('CONTACT_OPTED_OUT')
  const message = await requireTemplate(ctx, contact, template)
  const { idempotencyKey } = ctx.client
  const dedupeKey = idempotencyKey ? `reply:${userOf(ctx).id}:${idempotencyKey}` : undefined
  await answer(ctx, contact, message, { dedupeKey })
  return requireConversation(ctx, contactId)
}

/** The message of an earlier request with this key; a different message is refused. */
async function findFirst(ctx: Ctx, contact: Contact, message: Outgoing, key: string): Promise<Message | null> {
  const kept = await findKept(ctx, key)
  if (!kept) return null
  if (kept.contactId !== contact.id || !isDeepStrictEqual(kept.payload, message)) {
    throw new AppError('IDEMPOTENCY_KEY_REUSED')
  }
  return requireMessage(ctx, kept.id)
}

/** Sends the message again as a new one; concurrent requests return the same new message. */
export async function retryMessage(ctx: Ctx, idOrPhone: string, id: string): Promise<Message> {
  const contact = await requireReachedContact(ctx, idOrPhone)
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new AppError('MESSAGE_NOT_FOUND')
  const row = await lockMessage(ctx, contact.id, Number(id))
  const key = retryKey(row.id)
  const before = await findByKey(ctx, key)
  if (before) return before
  // A message that may have arrived is never sent again.
  if (!mayRetry(row) || row.payload === null) throw new AppError('MESSAGE_NOT_FAILED')
  // Outgoing messages are stored as `Outgoing`.
  return answer(ctx, contact, row.payload as Outgoing, { dedupeKey: key, contextId: row.contextMessageId ?? undefined })
}

export async function readConversation(
  ctx: Ctx,
  idOrPhone: string,
  upTo: number | undefined,
): Promise<Output<typeof api.readConversation>> {
  const { id } = await requireReachedContact(ctx, idOrPhone)
  return { unreadCount: await conversations.markConversationRead(ctx, id, upTo) }
}
