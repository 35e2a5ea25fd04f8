import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { JobContext } from '../../../database/transaction.ts'
import { seal, unseal } from '../../../lib/secrets.ts'
import type { SentByBot, TelegramStore } from './bot-api.ts'
import { accountOf, type MessageBody, type TelegramContext } from './queries.ts'
import {
  simulatedTelegramFacts as facts,
  simulatedTelegramMessages as messages,
  simulatedTelegramTopics as topics,
} from './tables.ts'

type DbContext = Pick<JobContext, 'db'>
type MessageRow = typeof messages.$inferSelect

interface NewMessage extends SentByBot, MessageBody {
  /** Null for the bot. */
  fromId: string | null
}

export async function storeMessage({ db, key }: TelegramContext, message: NewMessage): Promise<MessageRow> {
  const { text, name, event, ...columns } = message
  const body: MessageBody = { text, name, event }
  const sealedBody = seal(key, JSON.stringify(body), message.chatId)
  const [row] = await db
    .insert(messages)
    .values({ ...columns, sealedBody })
    .returning()
  if (!row) throw new Error('The insert returned no row')
  return row
}

/** Stores the state in the database. `findTopic` locks the topic until the transaction ends. */
export function telegramStore(context: TelegramContext): TelegramStore {
  const { db, key, groupId } = context
  const isMessage = (chatId: string, ids: number[]) => and(eq(messages.chatId, chatId), inArray(messages.id, ids))
  return {
    groupId,
    async findTopic(id) {
      const isOwn = and(eq(topics.id, id), eq(topics.chatId, groupId))
      const [row] = await db.select().from(topics).where(isOwn).for('update')
      return row ? { id, isClosed: row.isClosed, name: unseal(key, row.sealedName, groupId) } : null
    },
    async addTopic(name) {
      const values = { chatId: groupId, sealedName: seal(key, name, groupId) }
      const [row] = await db.insert(topics).values(values).returning({ id: topics.id })
      if (!row) throw new Error('The insert returned no row')
      return row.id
    },
    async renameTopic(id, name) {
      const sealedName = seal(key, name, groupId)
      await db.update(topics).set({ sealedName }).where(eq(topics.id, id))
    },
    async closeTopic(id, isClosed) {
      await db.update(topics).set({ isClosed }).where(eq(topics.id, id))
    },
    async deleteTopic(id) {
      await db.delete(topics).where(eq(topics.id, id))
    },
    addMessage: (message) => storeMessage(context, { ...message, name: null, event: null, fromId: null }),
    hasMessage: async (chatId, id) => (await db.$count(messages, isMessage(chatId, [id]))) > 0,
    async deleteMessages(chatId, ids) {
      await db.delete(messages).where(isMessage(chatId, ids))
    },
    async findFact(name) {
      const [row] = await db.select().from(facts).where(eq(facts.name, name))
      return row ? unseal(key, row.sealedValue, name) : null
    },
    async setFact(name, value) {
      const sealedValue = seal(key, value, name)
      await db
        .insert(facts)
        .values({ name, sealedValue })
        .onConflictDoUpdate({ target: facts.name, set: { sealedValue, changedAt: sql`now()` } })
    },
    async deleteFact(name) {
      await db.delete(facts).where(eq(facts.name, name))
    },
  }
}

/** Erases messages from and to this phone's account. */
export async function eraseAccountOf({ db }: DbContext, phone: string): Promise<void> {
  const id = accountOf(phone)
  await db.delete(messages).where(or(eq(messages.chatId, id), eq(messages.fromId, id)))
}

/** Same retention as other simulated phones; the next message of a conversation creates a new topic. */
export async function purgeSimulatedTelegram({ db }: DbContext): Promise<void> {
  const week = sql`now() - interval '7 days'`
  await db.delete(messages).where(lt(messages.createdAt, week))
  await db
    .delete(topics)
    .where(
      and(
        lt(topics.createdAt, week),
        sql`not exists (select from ${messages} where ${messages.threadId} = ${topics.id})`,
      ),
    )
  await db.delete(facts).where(and(lt(facts.changedAt, week), sql`${facts.name} like 'hold:%'`))
}
