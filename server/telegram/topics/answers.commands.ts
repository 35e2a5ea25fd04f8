import { assignConversation, resumeBot } from '../../conversations/conversations.commands.ts'
import { findVendorIds } from '../../conversations/policy.ts'
import { hasOpenWindow, queueMessage } from '../../conversations/sending.commands.ts'
import { type Db, run, statement } from '../../database/db.ts'
import type { JobContext } from '../../database/transaction.ts'
import type { NewFile } from '../../inbox/files.commands.ts'
import { attachFile, messageWithFile } from '../../inbox/uploads.commands.ts'
import { emit } from '../../jobs/domain-events.ts'
import { cleanFileName } from '../../lib/file-name.ts'
import { translatorFor } from '../../lib/translate.ts'
import { storeMedia } from '../../media/commands.ts'
import { limits, type Outgoing } from '../../providers/message.ts'
import { answerRefusal, findLinked, type Person } from '../queries.ts'
import { queueTelegram } from '../sending/sending.commands.ts'
import { inBoth } from '../words.ts'

/** A file of a message, as Telegram names it. */
export interface TopicFile {
  fileId: string
  name: string | null
  isVoice: boolean
}

interface Answer {
  messageId: number
  chatId: string
  threadId: string
  fromId: string
  text: string | null
  file: TopicFile | null
  location: { lat: number; lng: number } | null
  replyTo: number | null
  hindrance: 'anonymous' | 'edited' | null
  /** The file itself; `refused` if it cannot be sent. */
  fetched: NewFile | 'refused' | null
}

/** A message with only a command is for the bot, not the customer. */
const command = /^\/(\w+)(?:@\w+)?$/

/**
 * Sends a staff message of a topic to its customer and assigns the conversation to the author. Authors who are not
 * linked, lack the permission or do not reach the customer in the inbox get the reason, and nothing is sent.
 */
export async function answerCustomer(ctx: JobContext, answer: Answer, inboxUrl: string): Promise<boolean> {
  const { messageId, chatId, threadId, fromId, text, fetched, location, hindrance } = answer
  const conversation = await lockConversationOfTopic(ctx.db, threadId)
  const person = await findLinked(ctx.db, fromId)
  const sendNotice = async (key: string, values?: Record<string, string>) => {
    const words = person ? translatorFor(person.language)(key, values) : inBoth(key, '\n', values)
    const notice = { chatId, threadId, contactId: conversation?.contactId ?? null, replyTo: String(messageId) }
    // An edited message may have had a notice of its own.
    const dedupeKey = `${hindrance === 'edited' ? 'edit' : 'answer'}:${chatId}:${messageId}`
    await queueTelegram(ctx, { ...notice, text: words, dedupeKey })
    return true
  }
  // Other topics of the group are ignored.
  if (!conversation) return (await wasTopic(ctx.db, chatId, threadId)) ? sendNotice('telegram.noConversation') : false
  const { contactId } = conversation
  if (hindrance === 'anonymous') return sendNotice('telegram.anonymous')
  // A live place changes by itself.
  if (hindrance === 'edited') return location === null ? sendNotice('telegram.edited') : false
  const refusal = answerRefusal(person, await findVendorIds(ctx.db, contactId))
  if (!person || refusal !== null) return sendNotice(refusal ?? 'telegram.notLinked')
  if (fetched === 'refused') return sendNotice('telegram.fileRefused')
  if (text === null && !fetched && !location) return sendNotice('telegram.wordsOnly')
  const commandName = command.exec(text ?? '')?.[1]?.toLowerCase()
  if (commandName === 'bot') {
    await resumeBot(ctx, contactId, person.id)
    if (conversation.isPaused) await emitChange(ctx, person, contactId, 'handed-back')
    return sendNotice('telegram.handedBack')
  }
  if (commandName !== undefined) return sendNotice('telegram.noSuchCommand')
  if ((text?.length ?? 0) > (fetched ? limits.caption : limits.text)) return sendNotice('telegram.refused')
  if (!(await hasOpenWindow(ctx, contactId))) return sendNotice('telegram.windowClosed', { url: inboxUrl })
  const message = await messageOf(ctx, answer)
  const contextId = await findMirrored(ctx.db, contactId, answer)
  const queued = await queueMessage(ctx, {
    to: { contactId },
    message,
    dedupeKey: `telegram:${chatId}:${messageId}`,
    by: { type: 'staff', userId: person.id },
    ...(contextId === null ? {} : { contextId }),
  })
  if (!queued) return true
  if ('file' in message) await attachFile(ctx, queued.messageId, message)
  const isNobodys = conversation.assignedTo === null
  if (isNobodys) await assignConversation(ctx, contactId, person.id)
  if (isNobodys || !conversation.isPaused) await emitChange(ctx, person, contactId, 'taken-over', isNobodys)
  return true
}

async function messageOf(ctx: JobContext, { text, file, fetched, location }: Answer): Promise<Outgoing> {
  if (location) return { type: 'location', ...location }
  if (!fetched || fetched === 'refused') return { type: 'text', text: text ?? '', hasPreview: true }
  const sha256 = await storeMedia(ctx.db, fetched, 'private')
  const filename = cleanFileName(file?.name ?? '') || undefined
  return messageWithFile(ctx, { sha256, filename, isVoice: file?.isVoice }, text ?? undefined)
}

const emitChange = (
  ctx: JobContext,
  { id, vendorId }: Person,
  contactId: number,
  action: 'handed-back' | 'taken-over',
  isAssigned = false,
) =>
  emit(
    { ...ctx, authors: { changedBy: id, onBehalfOf: null }, client: { ip: null, userAgent: 'Telegram' } },
    {
      name: `conversation.${action}`,
      action,
      resource: 'conversation',
      id: contactId,
      vendorId,
      changes: isAssigned ? [{ field: 'assignedTo', from: null, to: id }] : [],
    },
  )

const lockSql = statement(
  'telegram-answer-hold',
  `select contact_id as "contactId", assigned_to as "assignedTo", coalesce(paused_until > now(), false) as "isPaused"
   from whatsapp_conversation_threads where telegram_thread_id = $1 for update`,
)

/** Locks the conversation of a topic until the transaction ends; null if there is none. */
async function lockConversationOfTopic(db: Db, threadId: string) {
  const [row] = await run<{ contactId: number; assignedTo: number | null; isPaused: boolean }>(db, lockSql, [threadId])
  return row ?? null
}

const contactSql = statement(
  'telegram-topic-contact',
  'select contact_id from whatsapp_conversation_threads where telegram_thread_id = $1',
)

/** The contact of a topic; null if there is none. */
export async function findContactOfTopic(db: Db, threadId: string): Promise<number | null> {
  const [row] = await run<{ contact_id: number }>(db, contactSql, [threadId])
  return row?.contact_id ?? null
}

const mirroredSql = statement(
  'telegram-answer-quoted',
  `select m.message_id from telegram_messages t join whatsapp_messages m on m.id = t.message_id
   where t.chat_id = $1 and t.telegram_message_id = $2 and m.contact_id = $3`,
)

/** Provider's id of the customer's message that the answer replies to in the topic; null if it replies to none. */
async function findMirrored(db: Db, contactId: number, { chatId, replyTo }: Answer): Promise<string | null> {
  if (replyTo === null) return null
  const [row] = await run<{ message_id: string | null }>(db, mirroredSql, [chatId, String(replyTo), contactId])
  return row?.message_id ?? null
}

const wasTopicSql = statement(
  'telegram-was-topic',
  'select from telegram_messages where chat_id = $1 and thread_id = $2 and contact_id is not null limit 1',
)

/** Whether the topic belonged to a conversation that has another topic now or was merged. */
const wasTopic = async (db: Db, chatId: string, threadId: string): Promise<boolean> =>
  (await run(db, wasTopicSql, [chatId, threadId])).length > 0
