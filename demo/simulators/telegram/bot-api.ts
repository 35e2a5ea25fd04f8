import { formOf, type ProviderHandler, type ProviderRequest } from '../provider-http.ts'

const MAX_TEXT = 4096
const MAX_NAME = 128
const HOLD_MS = 1_000
/** Key of the webhook set by the bot. */
export const WEBHOOK_FACT = 'webhook'

export type Json = Readonly<Record<string, unknown>>
export interface Refusal {
  status: number
  description: string
  retryAfter?: number
  /** The supergroup that the group became. */
  movedTo?: number
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
  run: <T>(task: (store: TelegramStore) => Promise<T>) => Promise<T>
  /** Waits for updates; null if another poller took over. */
  poll?: (params: Json, path: string, closed?: AbortSignal) => Promise<readonly unknown[] | null>
  /** Files that people sent to the group, by Telegram's id. */
  findFile?: (fileId: string) => Promise<Buffer | null>
  /** Runs before every call except polls, and may make it fail. */
  refuse?: (method: string, body: Json) => Refusal | null | Promise<Refusal | null>
}

/** The bot as Telegram describes it. */
interface Bot {
  id: number
  is_bot: true
  first_name: string
  username: string
}
type Method = (store: TelegramStore, params: Json, bot: Bot) => Promise<Answer>

const success = (result: unknown): Answer => ({ ok: true, result })
const failure = (status: number, description: string, retryAfter?: number): Answer => ({
  ok: false,
  refusal: { status, description, ...(retryAfter === undefined ? {} : { retryAfter }) },
})
const bad = (description: string) => failure(400, `Bad Request: ${description}`)

const asText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const positiveInteger = (value: unknown) => {
  const number = Number(asText(value))
  return Number.isInteger(number) && number > 0 && number <= 2_147_483_647 ? number : null
}
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000)

/**
 * Simulated errors by the last digits of the phone: 9990 has blocked the bot, 9993 is rate-limited to one message a
 * second. Null if the message is accepted.
 */
async function simulatedRefusal(store: TelegramStore, chatId: string): Promise<Answer | null> {
  if (chatId.endsWith('9990')) return failure(403, 'Forbidden: bot was blocked by the user')
  if (!chatId.endsWith('9993')) return null
  const hold = `hold:${chatId}`
  const until = await store.findFact(hold)
  const left = until === null ? HOLD_MS : Number(until) - Date.now()
  if (left <= 0) {
    await store.deleteFact(hold)
    return null
  }
  if (until === null) await store.setFact(hold, String(Date.now() + HOLD_MS))
  const retryAfter = Math.ceil(left / 1_000)
  return failure(429, `Too Many Requests: retry after ${retryAfter}`, retryAfter)
}

const sendMessage: Method = async (store, params, bot) => {
  const text = typeof params['text'] === 'string' ? params['text'] : ''
  const chatId = asText(params['chat_id'])
  if (text.trim() === '') return bad('message text is empty')
  if (text.length > MAX_TEXT) return bad('message is too long')
  if (params['parse_mode'] !== undefined) return bad("can't parse entities: this bot sends plain text")
  const isGroup = chatId === store.groupId
  if (!isGroup && !/^[1-9]\d{0,15}$/.test(chatId)) return bad('chat not found')
  const threadId = params['message_thread_id'] === undefined ? null : positiveInteger(params['message_thread_id'])
  if (params['message_thread_id'] !== undefined) {
    const topic = isGroup && threadId !== null ? await store.findTopic(threadId) : null
    if (!topic) return bad('message thread not found')
    if (topic.isClosed) return bad('TOPIC_CLOSED')
  }
  const refusal = isGroup ? null : await simulatedRefusal(store, chatId)
  if (refusal) return refusal
  const reply = params['reply_parameters'] as
    | { message_id?: unknown; allow_sending_without_reply?: unknown }
    | undefined
  const repliedId = positiveInteger(reply?.message_id)
  const isKnown = repliedId !== null && (await store.hasMessage(chatId, repliedId))
  if (reply && !isKnown && reply.allow_sending_without_reply !== true) return bad('message to be replied not found')
  const replyToId = isKnown ? repliedId : null
  const { id, createdAt } = await store.addMessage({ chatId, threadId, replyToId, text })
  const chat = isGroup
    ? { id: Number(chatId), type: 'supergroup', is_forum: true, title: 'Qatra' }
    : { id: Number(chatId), type: 'private' }
  return success({
    message_id: id,
    date: seconds(createdAt),
    from: bot,
    chat,
    text,
    ...(threadId === null ? {} : { message_thread_id: threadId, is_topic_message: true }),
  })
}

/** Telegram's limits for bots, in MB. */
const fileLimits = { photo: 10, voice: 50, audio: 50, video: 50, document: 50 } as const
const MAX_CAPTION = 1024

/** A file with its caption; only the text is kept. */
const sendFile =
  (kind: keyof typeof fileLimits): Method =>
  async (store, params, bot) => {
    const file = params[kind]
    const caption = asText(params['caption'])
    if (!(file instanceof Blob) || file.size === 0) return bad('there is no file in the request')
    if (file.size > fileLimits[kind] * 1024 * 1024) return bad('file is too big')
    if (caption.length > MAX_CAPTION) return bad('message caption is too long')
    return sendMessage(store, { ...params, text: caption || `[${kind}]` }, bot)
  }

const sendLocation: Method = async (store, params, bot) => {
  const [lat, lng] = [Number(params['latitude']), Number(params['longitude'])]
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return bad('wrong latitude or longitude')
  return sendMessage(store, { ...params, text: [lat, lng].join(', ') }, bot)
}

/** Requires the topic to exist. */
const onTopic =
  (change: (store: TelegramStore, topic: Topic, params: Json) => Promise<Answer>): Method =>
  async (store, params) => {
    if (asText(params['chat_id']) !== store.groupId) return bad('the chat is not a forum')
    const id = positiveInteger(params['message_thread_id'])
    const topic = id === null ? null : await store.findTopic(id)
    return topic ? change(store, topic, params) : bad('message thread not found')
  }

const setClosed = (isClosed: boolean) =>
  onTopic(async (store, topic) => {
    if (topic.isClosed === isClosed) return bad('TOPIC_NOT_MODIFIED')
    await store.closeTopic(topic.id, isClosed)
    return success(true)
  })

/** The used methods of the Bot API, in the format of core.telegram.org/bots/api. */
const methods: Readonly<Record<string, Method>> = {
  getMe: async (_, __, bot) =>
    success({ ...bot, can_join_groups: true, can_read_all_group_messages: true, supports_inline_queries: false }),
  sendMessage,
  sendPhoto: sendFile('photo'),
  sendVoice: sendFile('voice'),
  sendAudio: sendFile('audio'),
  sendVideo: sendFile('video'),
  sendDocument: sendFile('document'),
  sendLocation,
  async createForumTopic(store, params) {
    if (asText(params['chat_id']) !== store.groupId) return bad('the chat is not a forum')
    const name = asText(params['name'])
    if (name.trim() === '' || name.length > MAX_NAME) return bad('TOPIC_TITLE_INVALID')
    return success({ message_thread_id: await store.addTopic(name), name, icon_color: 7_322_096 })
  },
  editForumTopic: onTopic(async (store, topic, params) => {
    const name = asText(params['name'])
    if (name.length > MAX_NAME) return bad('TOPIC_TITLE_INVALID')
    if (name === '' || name === topic.name) return bad('TOPIC_NOT_MODIFIED')
    await store.renameTopic(topic.id, name)
    return success(true)
  }),
  closeForumTopic: setClosed(true),
  reopenForumTopic: setClosed(false),
  deleteForumTopic: onTopic(async (store, topic) => {
    await store.deleteTopic(topic.id)
    return success(true)
  }),
  async deleteMessages(store, params) {
    const ids = Array.isArray(params['message_ids']) ? params['message_ids'].map(positiveInteger) : []
    if (ids.length === 0 || ids.length > 100) return bad('message identifiers are not specified')
    await store.deleteMessages(
      asText(params['chat_id']),
      ids.filter((id) => id !== null),
    )
    return success(true)
  },
  async setWebhook(store, params) {
    const url = asText(params['url'])
    if (url === '') await store.deleteFact(WEBHOOK_FACT)
    else await store.setFact(WEBHOOK_FACT, JSON.stringify({ url, secret: asText(params['secret_token']) }))
    return success(true)
  },
  async deleteWebhook(store) {
    await store.deleteFact(WEBHOOK_FACT)
    return success(true)
  },
}

/** The fields of a call: JSON, or a form whose fields name its files by `attach://`. */
async function paramsOf(request: ProviderRequest): Promise<Json> {
  const form = await formOf(request)
  if (!form) return JSON.parse(request.body || '{}') as Json // from the bot library
  const fields = Object.fromEntries(form)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const attached = typeof value === 'string' ? /^attach:\/\/(.+)$/.exec(value)?.[1] : undefined
      return [name, attached === undefined ? value : fields[attached]]
    }),
  )
}

async function callMethod(api: BotApi, request: ProviderRequest): Promise<Answer> {
  const { path, closed } = request
  const [, token, method = ''] = /\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
  if (token !== api.token) return failure(401, 'Unauthorized')
  const params = await paramsOf(request)
  if (method === 'getUpdates') return getUpdates(api, params, path, closed)
  const refusal = (await api.refuse?.(method, params)) ?? null
  if (refusal) return { ok: false, refusal }
  if (method === 'getFile') return findFile(api, asText(params['file_id']))
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!handler) return failure(404, 'Not Found: method not found')
  const bot = { id: Number(api.token.split(':')[0]), is_bot: true, first_name: 'Qatra', username: api.botName } as const
  return api.run((store) => handler(store, params, bot))
}

async function findFile(api: BotApi, fileId: string): Promise<Answer> {
  const file = await api.findFile?.(fileId)
  if (!file) return bad('wrong file_id or the file is temporarily unavailable')
  return success({ file_id: fileId, file_unique_id: fileId, file_size: file.length, file_path: `files/${fileId}` })
}

async function getUpdates(api: BotApi, params: Json, path: string, closed?: AbortSignal): Promise<Answer> {
  if ((await api.run((store) => store.findFact(WEBHOOK_FACT))) !== null)
    return failure(409, "Conflict: can't use getUpdates method while webhook is active")
  // Without pollers, accounts write only while a webhook is set.
  const updates = api.poll ? await api.poll(params, path, closed) : []
  return updates ? success(updates) : failure(409, 'Conflict: terminated by other getUpdates request')
}

/** Telegram's Bot API, in the format of core.telegram.org/bots/api. */
export const createBotApi =
  (api: BotApi): ProviderHandler =>
  async (request) => {
    const [, token, fileId = ''] = /^\/file\/bot([^/]+)\/files\/(.+)$/.exec(request.path) ?? []
    if (token !== undefined) {
      const bytes = token === api.token ? await api.findFile?.(decodeURIComponent(fileId)) : null
      return bytes ? { status: 200, body: bytes } : { status: 404, body: { ok: false, error_code: 404 } }
    }
    const answer = await callMethod(api, request)
    if (answer.ok) return { status: 200, body: answer }
    const { status, description, retryAfter, movedTo } = answer.refusal
    const parameters =
      retryAfter || movedTo ? { parameters: { retry_after: retryAfter, migrate_to_chat_id: movedTo } } : {}
    return { status, body: { ok: false, error_code: status, description, ...parameters } }
  }
