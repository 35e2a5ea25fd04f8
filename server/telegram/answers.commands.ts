import { assignConversation, resumeBot } from '../channel/conversations.commands.ts'
import { limits } from '../channel/message.ts'
import { hasOpenWindow, queueMessage } from '../channel/sending.commands.ts'
import { emit } from '../platform/events.ts'
import type { Working } from '../platform/transaction.ts'
import { wordsIn } from '../platform/words.ts'
import { holdConversation } from './answers.queries.ts'
import { findLinked, mayAnswer, type Person } from './queries.ts'
import { queueTelegram } from './sending.commands.ts'
import { GROUP_LANGUAGE } from './words.ts'

interface Answer {
  messageId: number
  chatId: string
  threadId: string
  fromId: string
  text: string | null
}

/**
 * Somebody of the staff writes in the topic of a conversation: it goes to that customer, and the conversation is that
 * person's. Whoever is not linked, or may not answer in the office either, is told so, and nothing goes out.
 */
export async function answerCustomer(ctx: Working, answer: Answer, inboxUrl: string): Promise<boolean> {
  const { messageId, chatId, threadId, fromId, text } = answer
  const conversation = await holdConversation(ctx.db, threadId)
  if (!conversation) return false
  const { contactId } = conversation
  const person = await findLinked(ctx.db, fromId)
  const tell = async (key: string, values?: Record<string, string>) => {
    const words = wordsIn(person?.language ?? GROUP_LANGUAGE)(key, values)
    const dedupeKey = `answer:${chatId}:${messageId}`
    await queueTelegram(ctx, { chatId, threadId, contactId, text: words, dedupeKey })
    return true
  }
  if (!person || !mayAnswer(person)) return tell('telegram.notLinked')
  if (text === null) return tell('telegram.wordsOnly')
  if (/^\/bot(@\w+)?$/.test(text)) {
    await resumeBot(ctx, contactId)
    if (conversation.isPaused) await note(ctx, person, contactId, 'handed-back')
    return tell('telegram.handedBack')
  }
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

const note = (ctx: Working, { id }: Person, contactId: number, action: string, isAssigned = false) =>
  emit(
    { ...ctx, authors: { changedBy: id, onBehalfOf: null }, client: { ip: null, userAgent: 'Telegram' } },
    {
      ...{ name: `conversation.${action}`, action, resource: 'conversation', id: contactId },
      changes: isAssigned ? [{ field: 'assignedTo', from: null, to: id }] : [],
      payload: { contactId },
    },
  )
