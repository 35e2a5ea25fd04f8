import { createBotApi, type Json, type Refusal, type TelegramStore } from '../../../demo/simulators/telegram/bot-api.ts'
import { type ProviderServer, serveProvider } from './server.ts'

type Decision = (method: string, body: Json) => Refusal | null | Promise<Refusal | null>

/** The simulated Bot API on a port of its own, with its state in memory. */
export interface TelegramServer extends ProviderServer {
  apiUrl: string
  token: string
  groupId: string
  /** All calls except getUpdates. */
  calls: { method: string; body: Json; at: number }[]
  sent: (chatId: string) => { text: string; threadId: number | null; replyTo: number | null }[]
  /** Files that staff sent, by Telegram's id. */
  files: Map<string, Buffer>
  topics: Map<number, string>
  /** Closed topics, which reject messages until they are reopened. */
  closed: Set<number>
  /** Pollers, by the path before the bot's; `''` where there is none. */
  asked: string[]
  /** Number of pollers rejected because another one polled. */
  conflicts: () => number
  /** Delivers this update to the next poller. */
  push: (update: Json) => void
  /** Decides about each call except getUpdates; null accepts it. */
  decide: (by: Decision) => void
}

/** `maxPollSeconds`: polls end after this time, whatever they ask for. */
export async function startTelegram({ maxPollSeconds = 50 } = {}): Promise<TelegramServer> {
  const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
  const groupId = '-1001234567890'
  const calls: TelegramServer['calls'] = []
  const files: TelegramServer['files'] = new Map()
  let decide: Decision = () => null
  const { store, topics, closed } = createMemoryStore(groupId)
  const polls = createPolls(maxPollSeconds)
  const server = await serveProvider(
    createBotApi({
      token,
      botName: 'QatraOfficeBot',
      run: (work) => work(store),
      poll: polls.poll,
      findFile: async (fileId) => files.get(fileId) ?? null,
      refuse(method, body) {
        calls.push({ method, body, at: performance.now() })
        return decide(method, body)
      },
    }),
  )
  return {
    ...server,
    apiUrl: server.origin,
    token,
    groupId,
    calls,
    files,
    topics,
    closed,
    asked: polls.asked,
    conflicts: polls.conflicts,
    push: polls.push,
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
    decide: (by) => void (decide = by),
  }
}

function createMemoryStore(groupId: string) {
  const topics = new Map<number, string>()
  const closed = new Set<number>()
  const messages = new Set<string>()
  const facts = new Map<string, string>()
  let numbers = 100
  const store: TelegramStore = {
    groupId,
    async findTopic(id) {
      const name = topics.get(id)
      return name === undefined ? null : { id, name, isClosed: closed.has(id) }
    },
    async addTopic(name) {
      numbers += 1
      topics.set(numbers, name)
      return numbers
    },
    renameTopic: async (id, name) => void topics.set(id, name),
    closeTopic: async (id, isClosed) => void (isClosed ? closed.add(id) : closed.delete(id)),
    deleteTopic: async (id) => void topics.delete(id),
    async addMessage({ chatId }) {
      numbers += 1
      messages.add(`${chatId}:${numbers}`)
      return { id: numbers, createdAt: new Date() }
    },
    hasMessage: async (chatId, id) => messages.has(`${chatId}:${id}`),
    async deleteMessages(chatId, ids) {
      for (const id of ids) messages.delete(`${chatId}:${id}`)
    },
    findFact: async (name) => facts.get(name) ?? null,
    setFact: async (name, value) => void facts.set(name, value),
    deleteFact: async (name) => void facts.delete(name),
  }
  return { store, topics, closed }
}

/** Long polling: one poller at a time; a second one ends the first with a conflict. */
function createPolls(maxSeconds: number) {
  const updates: Json[] = []
  const asked: string[] = []
  let conflicts = 0
  let current: { end: (result: readonly Json[] | null) => void } | null = null

  function poll({ offset, timeout }: Json, path: string, closed?: AbortSignal): Promise<readonly Json[] | null> {
    asked.push(/^\/(\w+)\/bot/.exec(path)?.[1] ?? '')
    // Updates before the offset are confirmed and not delivered again.
    const from = typeof offset === 'number' ? offset : 0
    updates.splice(0, updates.length, ...updates.filter((update) => Number(update['update_id']) >= from))
    if (current) {
      conflicts += 1
      current.end(null)
    }
    if (updates.length > 0) return Promise.resolve([...updates])
    return new Promise((resolve) => {
      const mine = {
        end(result: readonly Json[] | null) {
          clearTimeout(timer)
          if (current === mine) current = null
          resolve(result)
        },
      }
      const timer = setTimeout(() => mine.end([...updates]), Math.min(Number(timeout ?? 0), maxSeconds) * 1_000)
      closed?.addEventListener('abort', () => mine.end([]))
      current = mine
    })
  }
  return {
    asked,
    conflicts: () => conflicts,
    poll,
    push(update: Json) {
      updates.push(update)
      current?.end([...updates])
    },
  }
}
