import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
export interface FakeTelegram {
  apiUrl: string
  token: string
  groupId: string
  /** All calls except getUpdates. */
  calls: { method: string; body: Json; at: number }[]
  sent: (chatId: string) => { text: string; threadId: number | null; replyTo: number | null }[]
  topics: Map<number, string>
  /** Closed topics, which reject messages until they are reopened. */
  closed: Set<number>
  /** Who asked for updates, by the path before the bot's; `''` where there is none. */
  asked: string[]
  /** Number of pollers rejected because another one polled. */
  conflicts: () => number
  /** Delivers this update to the next poller. */
  push: (update: Json) => void
  /** Decides about each call, immediately or later; null accepts it. */
  decide: (by: Decision) => void
  stop: () => void
}
type Decision = (method: string, body: Json) => Refusal | null | Promise<Refusal | null>
interface Refusal {
  status: number
  description: string
  retryAfter?: number
}

/** A local server with the documented behaviour of the Bot API: envelopes, errors, topics, and updates with offset. */
export async function startTelegram(at = 0): Promise<FakeTelegram> {
  const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
  const groupId = '-1001234567890'
  const topics = new Map<number, string>()
  const updates: Json[] = []
  const calls: FakeTelegram['calls'] = []
  const waiting = new Set<() => void>()
  const closed = new Set<number>()
  const asked: string[] = []
  /** Those that ask and have no answer yet; there is one at a time. */
  const asking = new Set<() => void>()
  let conflicts = 0
  let decide: Decision = () => null
  let numbers = 100

  const ok = (response: ServerResponse, result: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
  const refuse = (response: ServerResponse, { status, description, retryAfter }: Refusal) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ ok: false, error_code: status, description },
        ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
      }),
    )
  const bad = (description: string): Refusal => ({ status: 400, description: `Bad Request: ${description}` })

  function sendMessage(
    response: ServerResponse,
    { chat_id: chatId, message_thread_id: thread, text, parse_mode }: Json,
  ) {
    if (typeof text !== 'string' || text.trim() === '') return refuse(response, bad('message text is empty'))
    if (text.length > 4096) return refuse(response, bad('message is too long'))
    if (parse_mode !== undefined) return refuse(response, bad("can't parse entities"))
    if (thread !== undefined && !topics.has(Number(thread))) return refuse(response, bad('message thread not found'))
    if (closed.has(Number(thread))) return refuse(response, bad('TOPIC_CLOSED'))
    const chat = { id: Number(chatId), type: String(chatId).startsWith('-') ? 'supergroup' : 'private' }
    return ok(response, { message_id: (numbers += 1), date: Math.floor(Date.now() / 1000), chat, text })
  }

  function getUpdates(response: ServerResponse, { offset, timeout }: Json) {
    const from = typeof offset === 'number' ? offset : 0
    // Updates before the offset are confirmed and not delivered again.
    updates.splice(0, updates.length, ...updates.filter((update) => Number(update['update_id']) >= from))
    for (const turnAway of asking) turnAway()
    if (updates.length > 0) return ok(response, updates)
    const leave = () => {
      clearTimeout(timer)
      waiting.delete(answer)
      asking.delete(turnAway)
    }
    const answer = () => {
      leave()
      ok(response, updates)
    }
    const turnAway = () => {
      leave()
      conflicts += 1
      refuse(response, { status: 409, description: 'Conflict: terminated by other getUpdates request' })
    }
    const timer = setTimeout(answer, Number(timeout ?? 0) * 1_000)
    response.on('close', leave)
    waiting.add(answer)
    asking.add(turnAway)
    return undefined
  }

  /** Of a topic: what is not there cannot be changed. */
  function change(response: ServerResponse, method: string, { message_thread_id: id, name }: Json) {
    const thread = Number(id)
    if (!topics.has(thread)) return refuse(response, bad('message thread not found'))
    if (method === 'editForumTopic') topics.set(thread, String(name))
    if (method === 'closeForumTopic') closed.add(thread)
    if (method === 'reopenForumTopic') closed.delete(thread)
    if (method === 'deleteForumTopic') topics.delete(thread)
    return ok(response, true)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const [, who = '', given, method = ''] = /^(?:\/(\w+))?\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
      if (given !== token) return refuse(response, { status: 401, description: 'Unauthorized' })
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json
      if (method === 'getUpdates') {
        asked.push(who)
        return getUpdates(response, body)
      }
      calls.push({ method, body, at: performance.now() })
      const refusal = await decide(method, body)
      if (refusal) return refuse(response, refusal)
      switch (method) {
        case 'getMe':
          return ok(response, { id: 110201543, is_bot: true, first_name: 'Qatra', username: 'QatraOfficeBot' })
        case 'sendMessage':
          return sendMessage(response, body)
        case 'createForumTopic': {
          const thread = (numbers += 1)
          topics.set(thread, String(body['name']))
          return ok(response, { message_thread_id: thread, name: body['name'], icon_color: 7322096 })
        }
        case 'editForumTopic':
        case 'closeForumTopic':
        case 'reopenForumTopic':
        case 'deleteForumTopic':
          return change(response, method, body)
        case 'deleteMessages':
        case 'setWebhook':
        case 'deleteWebhook':
          return ok(response, true)
        default:
          return refuse(response, { status: 404, description: 'Not Found: method not found' })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has a port
  return {
    ...{ apiUrl: `http://127.0.0.1:${port}`, token, groupId, calls, topics, closed, asked },
    conflicts: () => conflicts,
    sent: (chatId) =>
      calls.flatMap(({ method, body }) =>
        method === 'sendMessage' && String(body['chat_id']) === chatId
          ? [
              {
                text: String(body['text']),
                threadId: (body['message_thread_id'] as number | undefined) ?? null,
                replyTo: (body['reply_parameters'] as { message_id: number } | undefined)?.message_id ?? null,
              },
            ]
          : [],
      ),
    push(update) {
      updates.push(update)
      for (const answer of waiting) answer()
    },
    decide: (by) => void (decide = by),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
