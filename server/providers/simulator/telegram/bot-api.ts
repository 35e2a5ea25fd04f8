import type { ProviderHandler } from '../provider-http.ts'

const MAX_TEXT = 4096
const MAX_NAME = 128
const HOLD_MS = 1_000
/** Name of the demo's bot. */
export const BOT_NAME = 'QatraSimulatorBot'
/** Key of the webhook set by the bot. */
export const WEBHOOK_FACT = 'webhook'

export type Json = Readonly<Record<string, unknown>>
export interface Refusal {
  status: number
  description: string
  retryAfter?: number
}
type Answer = { ok: true; result: unknown } | { ok: false; refusal: Refusal }

export interface Topic {
  id: number
  isClosed: boolean
  name: string | null
}

export interface SentByBot {
  chatId: string
  threadId: number | null
  replyToId: number | null
  text: string
}

/** State of Telegram: the staff's group with its topics, messages, and facts by name. */
export interface TelegramStore {
  groupId: string
  findTopic: (id: number) => Promise<Topic | null>
  addTopic: (name: string) => Promise<number>
  renameTopic: (id: number, name: string) => Promise<void>
  closeTopic: (id: number, isClosed: boolean) => Promise<void>
  /** Deletes the topic with its messages. */
  deleteTopic: (id: number) => Promise<void>
  addMessage: (message: SentByBot) => Promise<{ id: number; createdAt: Date }>
  hasMessage: (chatId: string, id: number) => Promise<boolean>
  deleteMessages: (chatId: string, ids: number[]) => Promise<void>
  findFact: (name: string) => Promise<string | null>
  setFact: (name: string, value: string) => Promise<void>
  deleteFact: (name: string) => Promise<void>
}

export interface BotApi {
  token: string
  botName: string
  /** Runs one call on the state. */
  run: <T>(work: (store: TelegramStore) => Promise<T>) => Promise<T>
  /** Waits for updates; null if another poller took over. */
  poll?: (asked: Json, path: string, closed?: AbortSignal) => Promise<readonly unknown[] | null>
  /** Sees every call but polls first, and may make it fail. */
  refuse?: (method: string, body: Json) => Refusal | null | Promise<Refusal | null>
}

/** The bot as Telegram describes it. */
interface Bot {
  id: number
  is_bot: true
  first_name: string
  username: string
}
type Work = (store: TelegramStore, asked: Json, bot: Bot) => Promise<Answer>

const took = (result: unknown): Answer => ({ ok: true, result })
const refused = (status: number, description: string, retryAfter?: number): Answer => ({
  ok: false,
  refusal: { status, description, ...(retryAfter === undefined ? {} : { retryAfter }) },
})
const bad = (description: string) => refused(400, `Bad Request: ${description}`)

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const whole = (value: unknown) => {
  const number = Number(text(value))
  return Number.isInteger(number) && number > 0 && number <= 2_147_483_647 ? number : null
}
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000)

/**
 * Simulated errors by the last digits of the phone: 9990 has blocked the bot, 9993 is rate-limited to one message a
 * second. Null if the message is accepted.
 */
async function accountRefuses(store: TelegramStore, chatId: string): Promise<Answer | null> {
  if (chatId.endsWith('9990')) return refused(403, 'Forbidden: bot was blocked by the user')
  if (!chatId.endsWith('9993')) return null
  const hold = `hold:${chatId}`
  const until = await store.findFact(hold)
  const left = until === null ? HOLD_MS : Number(until) - Date.now()
  if (left <= 0) {
    await store.deleteFact(hold)
    return null
  }
  if (until === null) await store.setFact(hold, String(Date.now() + HOLD_MS))
  const rest = Math.ceil(left / 1_000)
  return refused(429, `Too Many Requests: retry after ${rest}`, rest)
}

const sendMessage: Work = async (store, asked, bot) => {
  const words = typeof asked['text'] === 'string' ? asked['text'] : ''
  const chatId = text(asked['chat_id'])
  if (words.trim() === '') return bad('message text is empty')
  if (words.length > MAX_TEXT) return bad('message is too long')
  if (asked['parse_mode'] !== undefined) return bad("can't parse entities: this bot sends plain words")
  const isGroup = chatId === store.groupId
  if (!isGroup && !/^[1-9]\d{0,15}$/.test(chatId)) return bad('chat not found')
  const threadId = asked['message_thread_id'] === undefined ? null : whole(asked['message_thread_id'])
  if (asked['message_thread_id'] !== undefined) {
    const topic = isGroup && threadId !== null ? await store.findTopic(threadId) : null
    if (!topic) return bad('message thread not found')
    if (topic.isClosed) return bad('TOPIC_CLOSED')
  }
  const refusal = isGroup ? null : await accountRefuses(store, chatId)
  if (refusal) return refusal
  const reply = asked['reply_parameters'] as { message_id?: unknown; allow_sending_without_reply?: unknown } | undefined
  const answered = whole(reply?.message_id)
  const isKnown = answered !== null && (await store.hasMessage(chatId, answered))
  if (reply && !isKnown && reply.allow_sending_without_reply !== true) return bad('message to be replied not found')
  const replyToId = isKnown ? answered : null
  const { id, createdAt } = await store.addMessage({ chatId, threadId, replyToId, text: words })
  const chat = isGroup
    ? { id: Number(chatId), type: 'supergroup', is_forum: true, title: 'Qatra' }
    : { id: Number(chatId), type: 'private' }
  return took({
    message_id: id,
    date: seconds(createdAt),
    from: bot,
    chat,
    text: words,
    ...(threadId === null ? {} : { message_thread_id: threadId, is_topic_message: true }),
  })
}

/** Requires the topic to exist. */
const onTopic =
  (change: (store: TelegramStore, topic: Topic, asked: Json) => Promise<Answer>): Work =>
  async (store, asked) => {
    if (text(asked['chat_id']) !== store.groupId) return bad('the chat is not a forum')
    const id = whole(asked['message_thread_id'])
    const topic = id === null ? null : await store.findTopic(id)
    return topic ? change(store, topic, asked) : bad('message thread not found')
  }

const setClosed = (isClosed: boolean) =>
  onTopic(async (store, topic) => {
    if (topic.isClosed === isClosed) return bad('TOPIC_NOT_MODIFIED')
    await store.closeTopic(topic.id, isClosed)
    return took(true)
  })

/** The used methods of the Bot API, in the format of core.telegram.org/bots/api. */
const methods: Readonly<Record<string, Work>> = {
  getMe: async (_, __, bot) =>
    took({ ...bot, can_join_groups: true, can_read_all_group_messages: true, supports_inline_queries: false }),
  sendMessage,
  async createForumTopic(store, asked) {
    if (text(asked['chat_id']) !== store.groupId) return bad('the chat is not a forum')
    const name = text(asked['name'])
    if (name.trim() === '' || name.length > MAX_NAME) return bad('TOPIC_TITLE_INVALID')
    return took({ message_thread_id: await store.addTopic(name), name, icon_color: 7_322_096 })
  },
  editForumTopic: onTopic(async (store, topic, asked) => {
    const name = text(asked['name'])
    if (name.length > MAX_NAME) return bad('TOPIC_TITLE_INVALID')
    if (name === '' || name === topic.name) return bad('TOPIC_NOT_MODIFIED')
    await store.renameTopic(topic.id, name)
    return took(true)
  }),
  closeForumTopic: setClosed(true),
  reopenForumTopic: setClosed(false),
  deleteForumTopic: onTopic(async (store, topic) => {
    await store.deleteTopic(topic.id)
    return took(true)
  }),
  async deleteMessages(store, asked) {
    const ids = Array.isArray(asked['message_ids']) ? asked['message_ids'].map(whole) : []
    if (ids.length === 0 || ids.length > 100) return bad('message identifiers are not specified')
    await store.deleteMessages(
      text(asked['chat_id']),
      ids.filter((id) => id !== null),
    )
    return took(true)
  },
  async setWebhook(store, asked) {
    const url = text(asked['url'])
    if (url === '') await store.deleteFact(WEBHOOK_FACT)
    else await store.setFact(WEBHOOK_FACT, JSON.stringify({ url, secret: text(asked['secret_token']) }))
    return took(true)
  },
  async deleteWebhook(store) {
    await store.deleteFact(WEBHOOK_FACT)
    return took(true)
  },
}

async function answerTo(api: BotApi, path: string, body: string, closed?: AbortSignal): Promise<Answer> {
  const [, given, method = ''] = /\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
  if (given !== api.token) return refused(401, 'Unauthorized')
  const asked = JSON.parse(body || '{}') as Json // from the bot library
  if (method === 'getUpdates') return getUpdates(api, asked, path, closed)
  const refusal = (await api.refuse?.(method, asked)) ?? null
  if (refusal) return { ok: false, refusal }
  const work = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!work) return refused(404, 'Not Found: method not found')
  const bot = { id: Number(api.token.split(':')[0]), is_bot: true, first_name: 'Qatra', username: api.botName } as const
  return api.run((store) => work(store, asked, bot))
}

async function getUpdates(api: BotApi, asked: Json, path: string, closed?: AbortSignal): Promise<Answer> {
  if ((await api.run((store) => store.findFact(WEBHOOK_FACT))) !== null)
    return refused(409, "Conflict: can't use getUpdates method while webhook is active")
  // Without pollers, accounts write only while a webhook is set.
  const updates = api.poll ? await api.poll(asked, path, closed) : []
  return updates ? took(updates) : refused(409, 'Conflict: terminated by other getUpdates request')
}

/** Telegram's Bot API, in the format of core.telegram.org/bots/api. */
export const createBotApi =
  (api: BotApi): ProviderHandler =>
  async ({ path, body, closed }) => {
    const answer = await answerTo(api, path, body, closed)
    if (answer.ok) return { status: 200, body: answer }
    const { status, description, retryAfter } = answer.refusal
    const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }
    return { status, body: { ok: false, error_code: status, description, ...parameters } }
  }
