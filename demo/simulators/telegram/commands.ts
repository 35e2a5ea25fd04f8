import { and, eq, inArray, sql } from 'drizzle-orm'
import { seal, unseal } from '../../../server/lib/secrets.ts'
import {
  simulatedTelegramFacts as facts,
  simulatedTelegramMessages as messages,
  simulatedTelegramTopics as topics,
} from '../../../server/providers/simulator/tables.ts'
import type { SentByBot, TelegramStore } from './bot-api.ts'
import type { MessageBody, TelegramContext } from './queries.ts'

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
