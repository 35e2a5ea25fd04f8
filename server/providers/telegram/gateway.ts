import { createRequire } from 'node:module'
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { type Fetch, fetchBounded, isNeverSent, type SimulatedFetch } from '../../lib/http-client.ts'
import type { FetchedMedia } from '../provider.ts'

const require = createRequire(import.meta.url)
/** Loaded on first use: it is large, and causes a deprecation warning of Node. */
const grammy = () => require('grammy') as typeof import('grammy')

const TIMEOUT_SECONDS = 15
const POLL_SECONDS = 25
const watched = ['message', 'edited_message', 'my_chat_member'] as const
/** More than a hundred updates need. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * `busy`: certainly not accepted, retry after so many seconds. `no-topic`: the topic was deleted; `closed`: it was
 * closed. `blocked`: the person or group blocked the bot. `unknown`: may have been accepted, so it is never sent again.
 */
export type ApiResult<T> = { ok: true; result: T } | { ok: false; kind: ApiErrorKind; text: string; retryAfter: number }
type ApiErrorKind = 'busy' | 'no-topic' | 'closed' | 'blocked' | 'refused' | 'unknown'

/** Message status after this error. */
export const statusAfter = ({ kind }: { kind: ApiErrorKind }) =>
  kind === 'busy' ? 'queued' : kind === 'unknown' ? 'unknown' : 'failed'

export interface Telegram {
  groupId: string | null
  /** The bot's user name, once known. */
  name: () => string | null
  readName: () => Promise<void>
  /** Plain text without markup. */
  send: (
    to: { chatId: string; threadId: string | null; replyTo?: string | null },
    text: string,
  ) => Promise<ApiResult<number>>
  /** Shown by its type; others as documents. */
  sendFile: (to: { chatId: string; threadId: string | null }, file: TelegramFile) => Promise<ApiResult<number>>
  sendPlace: (
    to: { chatId: string; threadId: string | null },
    place: { lat: number; lng: number },
  ) => Promise<ApiResult<number>>
  fetchFile: (fileId: string, maxBytes: number) => Promise<FetchedMedia>
  makeTopic: (chatId: string, name: string) => Promise<ApiResult<string>>
  renameTopic: (chatId: string, threadId: string, name: string) => Promise<ApiResult<true>>
  closeTopic: (chatId: string, threadId: string) => Promise<ApiResult<true>>
  reopenTopic: (chatId: string, threadId: string) => Promise<ApiResult<true>>
  /** Deletes the topic with its messages. */
  deleteTopic: (chatId: string, threadId: string) => Promise<ApiResult<true>>
  /** At most 100 of the bot's own. */
  deleteMessages: (chatId: string, ids: number[]) => Promise<ApiResult<true>>
  updates: (offset: number | undefined, signal: AbortSignal) => Promise<Update[]>
  useWebhook: (url: string, secret: string) => Promise<void>
  useNoWebhook: () => Promise<void>
}

export interface TelegramFile {
  bytes: Buffer
  mimeType: string
  name: string
  caption: string
}

/** Telegram's limit of a caption, in UTF-16 units. */
export const MAX_CAPTION = 1024
const FETCH_MS = 30_000

interface TelegramOptions {
  /** In place of the network; the client and our downloads use it alike. */
  fetch: SimulatedFetch | undefined
  /** A group became a supergroup with another id. */
  onMove: (from: string, to: string) => Promise<void>
}

export function telegramGateway(
  { token, apiUrl, groupId }: { token: string; apiUrl: string; groupId: string | null },
  { fetch, onMove }: TelegramOptions,
): Telegram {
  // The client has its own transport, limited like ours; the timeout covers the whole response.
  const baseFetchConfig = { size: MAX_BYTES, redirect: 'error' as const }
  const follow = followMoves(onMove)
  const within = (timeoutSeconds: number) => {
    let api: Api | null = null
    return () =>
      (api ??= follow(
        new (grammy().Api)(token, { apiRoot: apiUrl, timeoutSeconds, baseFetchConfig, ...(fetch && { fetch }) }),
      ))
  }
  const files = { url: `${apiUrl}/file/bot${token}`, fetch }
  return make(within(TIMEOUT_SECONDS), within(POLL_SECONDS + TIMEOUT_SECONDS), { groupId, files })
}

/** Sends to the supergroup that a group became, whose id the refusal of the first call tells. */
function followMoves(onMove: (from: string, to: string) => Promise<void>) {
  const moved = new Map<string, number>()
  return (api: Api): Api => {
    api.config.use(async (call, method, payload, signal) => {
      const chatId = 'chat_id' in payload ? String(payload.chat_id) : null
      const send = () => {
        const to = chatId === null ? undefined : moved.get(chatId)
        return call(method, to === undefined ? payload : { ...payload, chat_id: to }, signal)
      }
      const answer = await send()
      const to = answer.ok ? undefined : answer.parameters?.migrate_to_chat_id
      if (chatId === null || to === undefined) return answer
      moved.set(chatId, to)
      await onMove(chatId, String(to))
      return send()
    })
    return api
  }
}

interface Parts {
  groupId: string | null
  files: { url: string; fetch: Fetch | undefined }
}

function make(api: () => Api, patient: () => Api, { groupId, files }: Parts): Telegram {
  let name: string | null = null
  /** Chats with the time until which Telegram refuses calls (retry_after). */
  const quiet = new Map<string, number>()
  async function inTime<T>(chatId: string, call: () => Promise<T>): Promise<ApiResult<T>> {
    const left = (quiet.get(chatId) ?? 0) - performance.now()
    if (left > 0) return { ok: false, kind: 'busy', text: 'still quiet', retryAfter: Math.ceil(left / 1_000) }
    const answer = await callApi(call)
    if (!answer.ok && answer.kind === 'busy') quiet.set(chatId, performance.now() + answer.retryAfter * 1_000)
    else quiet.delete(chatId)
    return answer
  }
  return {
    groupId,
    name: () => name,
    async readName() {
      name ??= (await api().getMe()).username
    },
    send: ({ chatId, threadId, replyTo = null }, text) =>
      inTime(chatId, async () => {
        const sent = await api().sendMessage(chatId, text, {
          ...(threadId === null ? {} : { message_thread_id: Number(threadId) }),
          ...(replyTo === null
            ? {}
            : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
          link_preview_options: { is_disabled: true },
        })
        return sent.message_id
      }),
    sendFile: ({ chatId, threadId }, { bytes, mimeType, name, caption }) =>
      inTime(chatId, async () => {
        const { InputFile } = grammy()
        // grammY writes the name as it is, and an unquoted one ends at a space or is refused if it is Arabic.
        const file = new InputFile(bytes, `"${name}"`)
        const more = { ...inThread(threadId), ...(caption ? { caption } : {}) }
        const sent = await sendAs(api(), mimeType)(chatId, file, more)
        return sent.message_id
      }),
    sendPlace: ({ chatId, threadId }, { lat, lng }) =>
      inTime(chatId, async () => (await api().sendLocation(chatId, lat, lng, inThread(threadId))).message_id),
    async fetchFile(fileId, maxBytes) {
      const found = await callApi(() => api().getFile(fileId))
      if (!found.ok) return { ok: false, kind: found.kind === 'refused' ? 'gone' : 'busy' }
      const { file_path: path, file_size: size = null } = found.result
      if (path === undefined || path.split('/').includes('..')) return { ok: false, kind: 'gone' }
      if ((size ?? 0) > maxBytes) return { ok: false, kind: 'large', size }
      return download(`${files.url}/${path}`, maxBytes, files.fetch)
    },
    makeTopic: (chatId, topic) =>
      inTime(chatId, async () => String((await api().createForumTopic(chatId, topic)).message_thread_id)),
    renameTopic: (chatId, threadId, name) =>
      inTime(chatId, () => api().editForumTopic(chatId, Number(threadId), { name })),
    closeTopic: (chatId, threadId) => inTime(chatId, () => api().closeForumTopic(chatId, Number(threadId))),
    reopenTopic: (chatId, threadId) => inTime(chatId, () => api().reopenForumTopic(chatId, Number(threadId))),
    deleteTopic: (chatId, threadId) => inTime(chatId, () => api().deleteForumTopic(chatId, Number(threadId))),
    deleteMessages: (chatId, ids) => inTime(chatId, () => api().deleteMessages(chatId, ids)),
    updates(offset, signal) {
      const params = {
        ...(offset === undefined ? {} : { offset }),
        timeout: POLL_SECONDS,
        allowed_updates: watched,
      }
      // grammY declares another library's signal type; the platform's is compatible.
      return patient().getUpdates(params, signal as Parameters<Api['getUpdates']>[1])
    },
    async useWebhook(url, secret) {
      await api().setWebhook(url, { secret_token: secret, allowed_updates: watched })
    },
    async useNoWebhook() {
      await api().deleteWebhook()
    },
  }
}

const inThread = (threadId: string | null) => (threadId === null ? {} : { message_thread_id: Number(threadId) })

/** The method by which Telegram shows files of this type. */
function sendAs(api: Api, mimeType: string) {
  if (mimeType === 'image/jpeg') return api.sendPhoto.bind(api)
  if (mimeType === 'audio/ogg') return api.sendVoice.bind(api)
  if (mimeType === 'audio/mpeg' || mimeType === 'audio/mp4') return api.sendAudio.bind(api)
  return mimeType === 'video/mp4' ? api.sendVideo.bind(api) : api.sendDocument.bind(api)
}

/** The address contains the bot's token, so errors are not passed on. */
async function download(url: string, maxBytes: number, fetch: Fetch | undefined): Promise<FetchedMedia> {
  try {
    const signal = AbortSignal.timeout(FETCH_MS)
    const { status, bytes } = await fetchBounded(url, { headers: {}, signal, maxBytes, fetch })
    if (status === 429 || status >= 500) return { ok: false, kind: 'busy' }
    if (status !== 200) return { ok: false, kind: 'gone' }
    return bytes === null ? { ok: false, kind: 'large', size: null } : { ok: true, bytes }
  } catch {
    return { ok: false, kind: 'busy' }
  }
}

async function callApi<T>(call: () => Promise<T>): Promise<ApiResult<T>> {
  try {
    return { ok: true, result: await call() }
  } catch (error) {
    const { GrammyError, HttpError } = grammy()
    if (error instanceof GrammyError) {
      const { error_code: code, description, parameters } = error
      const failed = { ok: false, text: [code, description].join(' ').slice(0, 300) } as const
      if (code === 429) return { ...failed, kind: 'busy', retryAfter: Math.min(parameters.retry_after ?? 5, 3600) }
      if (code >= 500) return { ...failed, kind: 'unknown', retryAfter: 0 }
      if (/thread not found|TOPIC_(DELETED|ID_INVALID)/i.test(description)) {
        return { ...failed, kind: 'no-topic', retryAfter: 0 }
      }
      if (/TOPIC_CLOSED/i.test(description)) return { ...failed, kind: 'closed', retryAfter: 0 }
      return { ...failed, kind: code === 403 ? 'blocked' : 'refused', retryAfter: 0 }
    }
    // The message contains the URL, and the URL the bot's token.
    const inner: unknown = error instanceof HttpError ? error.error : error
    const code = typeof inner === 'object' && inner !== null && 'code' in inner ? String(inner.code) : 'no answer'
    return isNeverSent(code)
      ? { ok: false, kind: 'busy', text: code, retryAfter: 10 }
      : { ok: false, kind: 'unknown', text: code, retryAfter: 0 }
  }
}
