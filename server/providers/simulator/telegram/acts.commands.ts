import type { Parsed } from '@qatra/contract/endpoint'
import { formatPhone } from '@qatra/contract/phone'
import type {
  changeSimulatedTopic,
  SimulatedTelegramMessage,
  writeSimulatedTelegram,
} from '@qatra/contract/simulator-telegram'
import { runJobTransaction } from '../../../database/transaction.ts'
import type { App } from '../../../http/runtime.ts'
import { AppError } from '../../../lib/errors.ts'
import { keepOnTelegram, storeOn } from './commands.ts'
import { accountOf, type Said, type Stand, shown, standOf } from './queries.ts'
import { callTelegramWebhook, updateOf } from './updates.ts'

async function requireTopic(stand: Stand, id: number) {
  const topic = await storeOn(stand).findTopic(id)
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
  const rest = standOf(app)
  const id = accountOf(from)
  const said: Said = { text, name, event: null }
  const kept = await runJobTransaction(app.pool, async ({ db }) => {
    const stand = { ...rest, db }
    if (threadId !== null && (await requireTopic(stand, threadId)).isClosed) throw new AppError('TOPIC_CLOSED')
    const chatId = threadId === null ? id : rest.groupId
    return keepOnTelegram(stand, { ...said, chatId, threadId, fromId: id, replyToId: null })
  })
  const happened = { id: kept.id, createdAt: kept.createdAt, from: { id, name }, groupId: rest.groupId, threadId }
  await callTelegramWebhook(app, updateOf({ ...happened, content: { text } }))
  return shown(kept, said, id)
}

const acts = {
  close: { isClosed: true, event: 'closed', content: { forum_topic_closed: {} } },
  reopen: { isClosed: false, event: 'reopened', content: { forum_topic_reopened: {} } },
} as const

/**
 * Closes, opens or deletes a topic. Telegram reports the first two to the bot, but not a deletion.
 * @throws TOPIC_NOT_FOUND, UNAVAILABLE
 */
export async function changeTopic(
  app: App,
  threadId: number,
  { from, act }: Parsed<typeof changeSimulatedTopic>['body'],
): Promise<{ success: true }> {
  const rest = standOf(app)
  const [id, name] = [accountOf(from), formatPhone(from)]
  const kept = await runJobTransaction(app.pool, async ({ db }) => {
    const stand = { ...rest, db }
    const topic = await requireTopic(stand, threadId)
    if (act === 'delete') {
      await storeOn(stand).deleteTopic(threadId)
      return null
    }
    const { isClosed, event } = acts[act]
    // Unchanged.
    if (topic.isClosed === isClosed) return null
    await storeOn(stand).closeTopic(threadId, isClosed)
    const chatId = rest.groupId
    return keepOnTelegram(stand, { text: '', name, event, chatId, threadId, fromId: id, replyToId: null })
  })
  if (kept && act !== 'delete') {
    const happened = { id: kept.id, createdAt: kept.createdAt, from: { id, name }, groupId: rest.groupId, threadId }
    await callTelegramWebhook(app, updateOf({ ...happened, content: acts[act].content }))
  }
  return { success: true }
}
