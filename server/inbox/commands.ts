import { isDeepStrictEqual } from 'node:util'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type * as api from '@qatra/contract/whatsapp-inbox'
import type { Conversation } from '@qatra/contract/whatsapp-inbox'
import type { Message } from '@qatra/contract/whatsapp-message'
import { eq, sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { type Contact, requireContact } from '../conversations/contacts.queries.ts'
import * as conversations from '../conversations/conversations.commands.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { whatsappConversationThreads as threads } from '../conversations/tables.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import type { Outgoing } from '../providers/message.ts'
import { findByKey, findKept, lockMessage, mayRetry, requireMessage, retryKey } from './messages.queries.ts'
import { requireAnswerer } from './people.queries.ts'
import { requireConversation } from './queries.ts'
import { requireTemplate } from './templates.queries.ts'

type Act = api.ConversationAct['act']

/** Audit log entry of a conversation: actor and action, never message texts. */
const note = (ctx: Ctx, contactId: number, act: Act, change?: { field: string; from: unknown; to: unknown }) =>
  emit(ctx, {
    name: `conversation.${act}`,
    action: act,
    resource: 'conversation',
    id: contactId,
    changes: change ? [change] : [],
    payload: { contactId },
  })

/** Locks the contact until the transaction ends, so that concurrent actions are serialized. */
async function lockContact({ db }: Ctx, contactId: number) {
  const [row] = await db
    .select({
      assignedTo: threads.assignedTo,
      isPaused: sql<boolean>`coalesce(${threads.pausedUntil} > now(), false)`,
    })
    .from(threads)
    .where(eq(threads.contactId, contactId))
    .for('update')
  return row ?? { assignedTo: null, isPaused: false }
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
  const contact = await requireContact(ctx.db, idOrPhone)
  const message = body.template
    ? await requireTemplate(ctx, contact, body.template)
    : ({ type: 'text', text: body.body ?? '', hasPreview: true } as const)
  const { idempotencyKey } = ctx.client
  return answer(ctx, contact, message, idempotencyKey ? `reply:${userOf(ctx).id}:${idempotencyKey}` : undefined)
}

async function answer(ctx: Ctx, contact: Contact, message: Outgoing, dedupeKey: string | undefined) {
  const { id: userId } = userOf(ctx)
  if (dedupeKey !== undefined) {
    const first = await findFirst(ctx, contact, message, dedupeKey)
    if (first) return first
  }
  const before = await lockContact(ctx, contact.id)
  const queued = await queueMessage(ctx, {
    to: { contactId: contact.id },
    message,
    by: { type: 'staff', userId },
    ...(dedupeKey === undefined ? {} : { dedupeKey }),
  })
  if (!queued) return (await findFirst(ctx, contact, message, dedupeKey ?? '')) ?? requireMessage(ctx, 0)
  const isNobodys = before.assignedTo === null
  if (isNobodys) await conversations.assignConversation(ctx, contact.id, userId)
  if (!before.isPaused || isNobodys) {
    await note(ctx, contact.id, 'taken-over', isNobodys ? { field: 'assignedTo', from: null, to: userId } : undefined)
  }
  return requireMessage(ctx, queued.messageId)
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
  await answer(ctx, contact, message, idempotencyKey ? `reply:${userOf(ctx).id}:${idempotencyKey}` : undefined)
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
  const contact = await requireContact(ctx.db, idOrPhone)
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new AppError('MESSAGE_NOT_FOUND')
  const row = await lockMessage(ctx, contact.id, Number(id))
  const key = retryKey(row.id)
  const before = await findByKey(ctx, key)
  if (before) return before
  // A message that may have arrived is never sent again.
  if (!mayRetry(row) || row.payload === null) throw new AppError('MESSAGE_NOT_FAILED')
  return answer(ctx, contact, row.payload as Outgoing, key) // outgoing messages are stored as `Outgoing`
}

export async function readConversation(
  ctx: Ctx,
  idOrPhone: string,
  upTo: number | undefined,
): Promise<Output<typeof api.readConversation>> {
  const { id } = await requireContact(ctx.db, idOrPhone)
  return { unreadCount: await conversations.markConversationRead(ctx, id, upTo) }
}

export async function assign(ctx: Ctx, idOrPhone: string, userId: number | null): Promise<Conversation> {
  const { id } = await requireContact(ctx.db, idOrPhone)
  const { assignedTo } = await lockContact(ctx, id)
  if (assignedTo === userId) return requireConversation(ctx, id)
  if (userId !== null) await requireAnswerer(ctx, userId)
  await conversations.assignConversation(ctx, id, userId)
  const change = { field: 'assignedTo', from: assignedTo, to: userId }
  await note(ctx, id, userId === null ? 'released' : 'assigned', change)
  return requireConversation(ctx, id)
}

export async function takeOver(ctx: Ctx, idOrPhone: string, hours: number | undefined): Promise<Conversation> {
  const { id } = await requireContact(ctx.db, idOrPhone)
  const { isPaused } = await lockContact(ctx, id)
  await conversations.pauseBot(ctx, id, userOf(ctx).id, hours)
  // Extending the pause is not logged as another takeover.
  if (!isPaused) await note(ctx, id, 'taken-over')
  return requireConversation(ctx, id)
}

export async function handBack(ctx: Ctx, idOrPhone: string): Promise<Conversation> {
  const { id } = await requireContact(ctx.db, idOrPhone)
  const { isPaused } = await lockContact(ctx, id)
  await conversations.resumeBot(ctx, id)
  if (isPaused) await note(ctx, id, 'handed-back')
  return requireConversation(ctx, id)
}
