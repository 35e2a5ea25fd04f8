import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import {
  closeSimulatedTopic,
  deleteFromTelegram,
  deleteSimulatedTopic,
  dropFact,
  keepOnTelegram,
  makeSimulatedTopic,
  nameSimulatedTopic,
  noteFact,
} from './simulator/commands.ts'
import { BOT_NAME, findFact, isThere, lockTopic, type Stand, telegramSimulatorKey } from './simulator/queries.ts'
import { WEBHOOK_FACT } from './simulator/updates.ts'

const MAX_TEXT = 4096
const MAX_NAME = 128
const HOLD_MS = 1_000

type Json = Readonly<Record<string, unknown>>
interface Refusal {
  error_code: number
  description: string
  parameters?: { retry_after: number }
}
type Answer = { ok: true; result: unknown } | ({ ok: false } & Refusal)
type Work = (stand: Stand, asked: Json, botId: number) => Promise<Answer>

const took = (result: unknown): Answer => ({ ok: true, result })
const refused = (error_code: number, description: string, retryAfter?: number): Answer => ({
  ...{ ok: false, error_code, description },
  ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
})
const bad = (description: string) => refused(400, `Bad Request: ${description}`)

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const whole = (value: unknown) => {
  const number = Number(text(value))
  return Number.isInteger(number) && number > 0 && number <= 2_147_483_647 ? number : null
}
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000)

const bot = (id: number) => ({ id, is_bot: true, first_name: 'Qatra', username: BOT_NAME })

/**
 * Simulated errors by the last digits of the phone: 9990 has blocked the bot, 9993 is rate-limited to one message a
 * second. Null if the message is accepted.
 */
async function accountRefuses(stand: Stand, chatId: string): Promise<Answer | null> {
  if (chatId.endsWith('9990')) return refused(403, 'Forbidden: bot was blocked by the user')
  if (!chatId.endsWith('9993')) return null
  const hold = `hold:${chatId}`
  const until = await findFact(stand, hold)
  const left = until === null ? HOLD_MS : Number(until) - Date.now()
  if (left <= 0) {
    await dropFact(stand, hold)
    return null
  }
  if (until === null) await noteFact(stand, hold, String(Date.now() + HOLD_MS))
  const rest = Math.ceil(left / 1_000)
  return refused(429, `Too Many Requests: retry after ${rest}`, rest)
}

const sendMessage: Work = async (stand, asked, botId) => {
  const words = typeof asked['text'] === 'string' ? asked['text'] : ''
  const chatId = text(asked['chat_id'])
  if (words.trim() === '') return bad('message text is empty')
  if (words.length > MAX_TEXT) return bad('message is too long')
  if (asked['parse_mode'] !== undefined) return bad("can't parse entities: this bot sends plain words")
  const isGroup = chatId === stand.groupId
  if (!isGroup && !/^[1-9]\d{4,15}$/.test(chatId)) return bad('chat not found')
  const threadId = asked['message_thread_id'] === undefined ? null : whole(asked['message_thread_id'])
  if (asked['message_thread_id'] !== undefined) {
    const topic = isGroup && threadId !== null ? await lockTopic(stand, threadId) : null
    if (!topic) return bad('message thread not found')
    if (topic.isClosed) return bad('TOPIC_CLOSED')
  }
  const refusal = isGroup ? null : await accountRefuses(stand, chatId)
  if (refusal) return refusal
  const reply = asked['reply_parameters'] as { message_id?: unknown; allow_sending_without_reply?: unknown } | undefined
  const answered = whole(reply?.message_id)
  const isKnown = answered !== null && (await isThere(stand, chatId, answered))
  if (reply && !isKnown && reply.allow_sending_without_reply !== true) return bad('message to be replied not found')
  const replyToId = isKnown ? answered : null
  const said = { text: words, name: null, event: null }
  const { id, createdAt } = await keepOnTelegram(stand, { ...said, chatId, threadId, replyToId, fromId: null })
  const chat = isGroup
    ? { id: Number(chatId), type: 'supergroup', is_forum: true, title: 'Qatra' }
    : { id: Number(chatId), type: 'private' }
  return took({
    ...{ message_id: id, date: seconds(createdAt), from: bot(botId), chat, text: words },
    ...(threadId === null ? {} : { message_thread_id: threadId, is_topic_message: true }),
  })
}

/** Requires the topic to exist. */
const onTopic =
  (
    change: (
      stand: Stand,
      topic: { id: number; isClosed: boolean; name: string | null },
      asked: Json,
    ) => Promise<Answer>,
  ): Work =>
  async (stand, asked) => {
    if (text(asked['chat_id']) !== stand.groupId) return bad('the chat is not a forum')
    const id = whole(asked['message_thread_id'])
    const topic = id === null ? null : await lockTopic(stand, id)
    return topic ? change(stand, topic, asked) : bad('message thread not found')
  }

const setClosed = (isClosed: boolean) =>
  onTopic(async (stand, topic) => {
    if (topic.isClosed === isClosed) return bad('TOPIC_NOT_MODIFIED')
    await closeSimulatedTopic(stand, topic.id, isClosed)
    return took(true)
  })

/** The used methods of the Bot API, in the format of core.telegram.org/bots/api. */
const methods: Readonly<Record<string, Work>> = {
  getMe: async (_, __, botId) =>
    took({ ...bot(botId), can_join_groups: true, can_read_all_group_messages: true, supports_inline_queries: false }),
  sendMessage,
  async createForumTopic(stand, asked) {
    if (text(asked['chat_id']) !== stand.groupId) return bad('the chat is not a forum')
    const name = text(asked['name'])
    if (name.trim() === '' || name.length > MAX_NAME) return bad('TOPIC_TITLE_INVALID')
    return took({ message_thread_id: await makeSimulatedTopic(stand, name), name, icon_color: 7_322_096 })
  },
  editForumTopic: onTopic(async (stand, topic, asked) => {
    const name = text(asked['name'])
    if (name.length > MAX_NAME) return bad('TOPIC_TITLE_INVALID')
    if (name === '' || name === topic.name) return bad('TOPIC_NOT_MODIFIED')
    await nameSimulatedTopic(stand, topic.id, name)
    return took(true)
  }),
  closeForumTopic: setClosed(true),
  reopenForumTopic: setClosed(false),
  deleteForumTopic: onTopic(async (stand, topic) => {
    await deleteSimulatedTopic(stand, topic.id)
    return took(true)
  }),
  async deleteMessages(stand, asked) {
    const ids = Array.isArray(asked['message_ids']) ? asked['message_ids'].map(whole) : []
    if (ids.length === 0 || ids.length > 100) return bad('message identifiers are not specified')
    await deleteFromTelegram(
      stand,
      text(asked['chat_id']),
      ids.filter((id) => id !== null),
    )
    return took(true)
  },
  async setWebhook(stand, asked) {
    const url = text(asked['url'])
    if (url === '') await dropFact(stand, WEBHOOK_FACT)
    else await noteFact(stand, WEBHOOK_FACT, JSON.stringify({ url, secret: text(asked['secret_token']) }))
    return took(true)
  },
  async deleteWebhook(stand) {
    await dropFact(stand, WEBHOOK_FACT)
    return took(true)
  },
  // Returns at once: simulated accounts write only while a webhook is set.
  getUpdates: async (stand) =>
    (await findFact(stand, WEBHOOK_FACT)) === null
      ? took([])
      : refused(409, "Conflict: can't use getUpdates method while webhook is active"),
}

async function answerTo(app: App, token: string, url: string, body: unknown): Promise<Answer> {
  const [, given, method = ''] = /\/bot([^/]+)\/(\w+)$/.exec(url) ?? []
  if (given !== token) return refused(401, 'Unauthorized')
  const work = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!work) return refused(404, 'Not Found: method not found')
  const { secret, telegram } = app.config
  const asked = JSON.parse(typeof body === 'string' ? body : '{}') as Json // written by the bot library
  const stand = { key: telegramSimulatorKey(secret), groupId: telegram.groupId ?? '' }
  return runJobTransaction(app.pool, ({ db }) => work({ ...stand, db }, asked, Number(token.split(':')[0])))
}

/** Simulated transport: answers Bot API calls from rows that all processes share. */
export function simulatedFetch(app: App, token: string) {
  return async (url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const answer = await answerTo(app, token, String(url), init?.body)
    const status = answer.ok ? 200 : answer.error_code
    return new Response(JSON.stringify(answer), { status, headers: { 'content-type': 'application/json' } })
  }
}
