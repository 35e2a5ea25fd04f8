import { assignConversation, resumeBot } from '../conversations/conversations.commands.ts'
import { hasOpenWindow, queueMessage } from '../conversations/sending.commands.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit } from '../jobs/domain-events.ts'
import { translatorFor } from '../lib/translate.ts'
import { limits } from '../providers/message.ts'
import { findLinked, mayAnswer, type Person } from './queries.ts'
import { queueTelegram } from './sending.commands.ts'
import { inBoth } from './words.ts'

interface Answer {
  messageId: number
  chatId: string
  threadId: string
  fromId: string
  text: string | null
}

/** A message with only a command is for the bot, not the customer. */
const command = /^\/(\w+)(?:@\w+)?$/

/**
 * Sends a staff message of a topic to its customer and assigns the conversation to the author. Authors who are not
 * linked or lack the permission get a hint, and nothing is sent.
 */
export async function answerCustomer(ctx: JobContext, answer: Answer, inboxUrl: string): Promise<boolean> {
  const { messageId, chatId, threadId, fromId, text } = answer
  const conversation = await lockConversationOfTopic(ctx.db, threadId)
  const person = await findLinked(ctx.db, fromId)
  const tell = async (key: string, values?: Record<string, string>) => {
    const words = person ? translatorFor(person.language)(key, values) : inBoth(key, '\n', values)
    const notice = { chatId, threadId, contactId: conversation?.contactId ?? null, replyTo: String(messageId) }
    await queueTelegram(ctx, { ...notice, text: words, dedupeKey: `answer:${chatId}:${messageId}` })
    return true
  }
  // Other topics of the group are ignored.
  if (!conversation) return (await wasTopic(ctx.db, chatId, threadId)) ? tell('telegram.noConversation') : false
  const { contactId } = conversation
  if (!person || !mayAnswer(person)) return tell('telegram.notLinked')
  if (text === null) return tell('telegram.wordsOnly')
  const commandName = command.exec(text)?.[1]?.toLowerCase()
  if (commandName === 'bot') {
    await resumeBot(ctx, contactId)
    if (conversation.isPaused) await note(ctx, person, contactId, 'handed-back')
    return tell('telegram.handedBack')
  }
  if (commandName !== undefined) return tell('telegram.noSuchCommand')
  if (text.length > limits.text) return tell('telegram.refused')
  if (!(await hasOpenWindow(ctx, contactId))) return tell('telegram.windowClosed', { url: inboxUrl })
  const queued = await queueMessage(ctx, {
    to: { contactId },
    message: { type: 'text', text, hasPreview: true },
    dedupeKey: `telegram:${chatId}:${messageId}`,
    by: { type: 'staff', userId: person.id },
  })
  if (!queued) return true
  const isNobodys = conversation.assignedTo === null
  if (isNobodys) await assignConversation(ctx, contactId, person.id)
  if (isNobodys || !conversation.isPaused) await note(ctx, person, contactId, 'taken-over', isNobodys)
  return true
}

const note = (ctx: JobContext, { id }: Person, contactId: number, action: string, isAssigned = false) =>
  emit(
    { ...ctx, authors: { changedBy: id, onBehalfOf: null }, client: { ip: null, userAgent: 'Telegram' } },
    {
      name: `conversation.${action}`,
      action,
      resource: 'conversation',
      id: contactId,
      changes: isAssigned ? [{ field: 'assignedTo', from: null, to: id }] : [],
      payload: { contactId },
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

const wasTopicSql = statement(
  'telegram-was-topic',
  'select from telegram_messages where chat_id = $1 and thread_id = $2 and contact_id is not null limit 1',
)

/** Whether the topic belonged to a conversation that has another topic now or was merged. */
const wasTopic = async (db: Db, chatId: string, threadId: string): Promise<boolean> =>
  (await run(db, wasTopicSql, [chatId, threadId])).length > 0
