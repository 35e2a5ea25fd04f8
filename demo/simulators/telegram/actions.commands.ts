import type { Parsed } from '@qatra/contract/endpoint'
import { formatPhone } from '@qatra/contract/lib/phone'
import { runJobTransaction } from '../../../server/database/transaction.ts'
import type { App } from '../../../server/http/runtime.ts'
import { AppError } from '../../../server/lib/errors.ts'
import { accountOf } from '../../../server/providers/simulator/tables.ts'
import type { changeSimulatedTopic, SimulatedTelegramMessage, writeSimulatedTelegram } from '../../contract/telegram.ts'
import { WEBHOOK_FACT } from './bot-api.ts'
import { storeMessage, telegramStore } from './commands.ts'
import { contextOf, describeMessage, type MessageBody, type TelegramContext } from './queries.ts'

async function requireTopic(context: TelegramContext, id: number) {
  const topic = await telegramStore(context).findTopic(id)
  if (!topic) throw new AppError('TOPIC_NOT_FOUND')
  return topic
}

/**
 * Writes to the bot or in a topic, then calls the shop's webhook as Telegram does.
 * @throws TOPIC_NOT_FOUND, TOPIC_CLOSED, UNAVAILABLE
 */
export async function writeOnTelegram(
  app: App,
  { from, text, threadId: topicId, name = formatPhone(from) }: Parsed<typeof writeSimulatedTelegram>['body'],
): Promise<SimulatedTelegramMessage> {
  const threadId = topicId ?? null
  const shared = contextOf(app)
  const id = accountOf(from)
  const body: MessageBody = { text, name, event: null }
  const stored = await runJobTransaction(app.pool, async ({ db }) => {
    const context = { ...shared, db }
    if (threadId !== null && (await requireTopic(context, threadId)).isClosed) throw new AppError('TOPIC_CLOSED')
    const chatId = threadId === null ? id : shared.groupId
    return storeMessage(context, { ...body, chatId, threadId, fromId: id, replyToId: null })
  })
  const event = { id: stored.id, createdAt: stored.createdAt, from: { id, name }, groupId: shared.groupId, threadId }
  await callTelegramWebhook(app, updateOf({ ...event, content: { text } }))
  return describeMessage(stored, body, id)
}

const topicChanges = {
  close: { isClosed: true, event: 'closed', content: { forum_topic_closed: {} } },
  reopen: { isClosed: false, event: 'reopened', content: { forum_topic_reopened: {} } },
} as const

/**
 * Closes, reopens or deletes a topic. Telegram reports the first two to the bot, but not a deletion.
 * @throws TOPIC_NOT_FOUND, UNAVAILABLE
 */
export async function changeTopic(
  app: App,
  threadId: number,
  { from, act }: Parsed<typeof changeSimulatedTopic>['body'],
): Promise<{ success: true }> {
  const shared = contextOf(app)
  const [id, name] = [accountOf(from), formatPhone(from)]
  const stored = await runJobTransaction(app.pool, async ({ db }) => {
    const context = { ...shared, db }
    const topic = await requireTopic(context, threadId)
    if (act === 'delete') {
      await telegramStore(context).deleteTopic(threadId)
      return null
    }
    const { isClosed, event } = topicChanges[act]
    if (topic.isClosed === isClosed) return null
    await telegramStore(context).closeTopic(threadId, isClosed)
    const chatId = shared.groupId
    return storeMessage(context, { text: '', name, event, chatId, threadId, fromId: id, replyToId: null })
  })
  if (stored && act !== 'delete') {
    const event = { id: stored.id, createdAt: stored.createdAt, from: { id, name }, groupId: shared.groupId, threadId }
    await callTelegramWebhook(app, updateOf({ ...event, content: topicChanges[act].content }))
  }
  return { success: true }
}

interface Author {
  id: string
  name: string
}

interface TelegramEvent {
  id: number
  createdAt: Date
  from: Author
  groupId: string
  threadId: number | null
  /** `{text}`, or the change of the topic. */
  content: object
}

/** Webhook call for a message or a closed or reopened topic. */
function updateOf({ id, createdAt, from, groupId, threadId, content }: TelegramEvent): object {
  const person = { id: Number(from.id), is_bot: false, first_name: from.name }
  const chat =
    threadId === null
      ? { id: Number(from.id), type: 'private', first_name: from.name }
      : { id: Number(groupId), type: 'supergroup', is_forum: true, title: 'Qatra' }
  return {
    update_id: id,
    message: {
      message_id: id,
      from: person,
      chat,
      date: Math.floor(createdAt.getTime() / 1_000),
      ...(threadId === null ? {} : { message_thread_id: threadId, is_topic_message: true }),
      ...content,
    },
  }
}

/**
 * Posts to the shop's webhook over HTTP with its secret, as Telegram does.
 * @throws UNAVAILABLE if no webhook is set or it refused the update
 */
async function callTelegramWebhook(app: App, update: object): Promise<void> {
  const webhook = await telegramStore(contextOf(app)).findFact(WEBHOOK_FACT)
  if (webhook === null) throw new AppError('UNAVAILABLE')
  const { url, secret } = JSON.parse(webhook) as { url: string; secret: string } // written by setWebhook
  const response = await app.http.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    payload: JSON.stringify(update),
  })
  if (response.statusCode !== 200) throw new AppError('UNAVAILABLE')
}
