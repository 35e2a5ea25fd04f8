import type { Output } from '@qatra/contract/endpoint'
import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { type Db, run, statement } from '../../../server/database/db.ts'
import type { App } from '../../../server/http/runtime.ts'
import { keyFor, unseal } from '../../../server/lib/secrets.ts'
import { SIMULATED_BOT_NAME } from '../../../server/providers/settings.ts'
import { accountOf, simulatedTelegramMessages as messages } from '../../../server/providers/simulator/tables.ts'
import {
  BOT_CHAT,
  type getSimulatedTelegram,
  type SimulatedTelegramChat,
  type SimulatedTelegramMessage,
} from '../../contract/telegram.ts'

/** Author and text of a message, encrypted together. */
export interface MessageBody {
  text: string
  name: string | null
  event: SimulatedTelegramMessage['event']
}

export interface TelegramContext {
  db: Db
  key: Buffer
  groupId: string
}

/** The group of this installation, and the key of its messages. */
export const contextOf = ({ config, db }: Pick<App, 'config' | 'db'>): TelegramContext => ({
  db,
  key: keyFor(config.secret, 'simulated Telegram chats'),
  groupId: config.telegram.groupId ?? '',
})

const MAX_MESSAGES = 200
const MAX_TOPICS = 100

/** Null if it was encrypted with another key (another DATA_DIR). */
const openBody = (key: Buffer, sealed: string, chatId: string): MessageBody | null => {
  const text = unseal(key, sealed, chatId)
  return text === null ? null : (JSON.parse(text) as MessageBody) // encrypted here
}

type ChatQuery = { phone: string; chat?: string | undefined }

export async function readSimulatedTelegram(
  context: TelegramContext,
  { phone, chat = BOT_CHAT }: ChatQuery,
): Promise<Output<typeof getSimulatedTelegram>> {
  const chats = [await readPrivateChat(context, phone), ...(await readTopics(context))]
  return { botName: SIMULATED_BOT_NAME, chats, messages: await readMessages(context, phone, chat) }
}

async function readPrivateChat({ db, key }: TelegramContext, phone: string): Promise<SimulatedTelegramChat> {
  const chatId = accountOf(phone)
  const [row] = await db.select().from(messages).where(eq(messages.chatId, chatId)).orderBy(desc(messages.id)).limit(1)
  return { id: BOT_CHAT, title: null, isClosed: false, last: lastOf(key, chatId, row ?? null) }
}

type LastMessage = { sealedBody: string; createdAt: Date }

function lastOf(key: Buffer, chatId: string, row: LastMessage | null): SimulatedTelegramChat['last'] {
  const body = row && openBody(key, row.sealedBody, chatId)
  return row && body ? { text: body.text.slice(0, 200), createdAt: row.createdAt.toISOString() } : null
}

const topicsSql = statement(
  'simulated-telegram-topics',
  `select t.id, t.sealed_name, t.is_closed, m.sealed_body, m.created_at
   from simulated_telegram_topics t
   left join lateral (
     select id, sealed_body, created_at from simulated_telegram_messages where thread_id = t.id order by id desc limit 1
   ) m on true
   where t.chat_id = $1 order by coalesce(m.created_at, t.created_at) desc, t.id desc limit ${MAX_TOPICS}`,
)
interface TopicRow {
  id: number
  sealed_name: string
  is_closed: boolean
  sealed_body: string | null
  created_at: Date | null
}

async function readTopics({ db, key, groupId }: TelegramContext): Promise<SimulatedTelegramChat[]> {
  const rows = await run<TopicRow>(db, topicsSql, [groupId])
  return rows.flatMap(({ id, sealed_name, is_closed: isClosed, sealed_body: sealedBody, created_at: createdAt }) => {
    const title = unseal(key, sealed_name, groupId)
    if (title === null) return []
    const last = sealedBody === null || createdAt === null ? null : { sealedBody, createdAt }
    return [{ id: String(id), title, isClosed, last: lastOf(key, groupId, last) }]
  })
}

async function readMessages({ db, key, groupId }: TelegramContext, phone: string, chat: string) {
  const own = accountOf(phone)
  const chatId = chat === BOT_CHAT ? own : groupId
  const inThread = chat === BOT_CHAT ? isNull(messages.threadId) : eq(messages.threadId, Number(chat))
  const newest = db
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), inThread))
    .orderBy(desc(messages.id))
    .limit(MAX_MESSAGES)
    .as('newest')
  const rows = await db.select().from(newest).orderBy(asc(newest.id))
  return rows.flatMap((row): SimulatedTelegramMessage[] => {
    const body = openBody(key, row.sealedBody, chatId)
    return body ? [describeMessage(row, body, own)] : []
  })
}

type MessageRow = typeof messages.$inferSelect

export const describeMessage = (
  { id, fromId, replyToId, createdAt }: MessageRow,
  body: MessageBody,
  own: string,
): SimulatedTelegramMessage => ({
  id,
  replyToId,
  ...body,
  createdAt: createdAt.toISOString(),
  author: fromId === null ? 'bot' : fromId === own ? 'self' : 'other',
})
