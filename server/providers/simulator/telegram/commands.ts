import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { JobContext } from '../../../database/transaction.ts'
import { seal } from '../../../lib/secrets.ts'
import type { TelegramStore } from './bot-api.ts'
import { accountOf, findFact, isThere, lockTopic, type Said, type Stand } from './queries.ts'
import {
  simulatedTelegramFacts as facts,
  simulatedTelegramMessages as messages,
  simulatedTelegramTopics as topics,
} from './tables.ts'

type OnDb = Pick<JobContext, 'db'>
type Kept = typeof messages.$inferSelect

interface ToKeep extends Said {
  chatId: string
  threadId: number | null
  /** Null is the bot. */
  fromId: string | null
  replyToId: number | null
}

export async function keepOnTelegram({ db, key }: Pick<Stand, 'db' | 'key'>, message: ToKeep): Promise<Kept> {
  const { text, name, event, ...columns } = message
  const said: Said = { text, name, event }
  const sealedBody = seal(key, JSON.stringify(said), message.chatId)
  const [row] = await db
    .insert(messages)
    .values({ ...columns, sealedBody })
    .returning()
  if (!row) throw new Error('The insert answers its row')
  return row
}

export async function makeSimulatedTopic({ db, key, groupId }: Stand, name: string): Promise<number> {
  const [row] = await db
    .insert(topics)
    .values({ chatId: groupId, sealedName: seal(key, name, groupId) })
    .returning({ id: topics.id })
  if (!row) throw new Error('The insert answers its row')
  return row.id
}

export async function nameSimulatedTopic({ db, key, groupId }: Stand, id: number, name: string): Promise<void> {
  await db
    .update(topics)
    .set({ sealedName: seal(key, name, groupId) })
    .where(eq(topics.id, id))
}

export async function closeSimulatedTopic({ db }: OnDb, id: number, isClosed: boolean): Promise<void> {
  await db.update(topics).set({ isClosed }).where(eq(topics.id, id))
}

/** Deletes the topic with its messages. */
export async function deleteSimulatedTopic({ db }: OnDb, id: number): Promise<void> {
  await db.delete(topics).where(eq(topics.id, id))
}

export async function deleteFromTelegram({ db }: OnDb, chatId: string, ids: number[]): Promise<void> {
  await db.delete(messages).where(and(eq(messages.chatId, chatId), inArray(messages.id, ids)))
}

export async function noteFact({ db, key }: Pick<Stand, 'db' | 'key'>, name: string, value: string): Promise<void> {
  const sealedValue = seal(key, value, name)
  await db
    .insert(facts)
    .values({ name, sealedValue })
    .onConflictDoUpdate({ target: facts.name, set: { sealedValue, changedAt: sql`now()` } })
}

export async function dropFact({ db }: OnDb, name: string): Promise<void> {
  await db.delete(facts).where(eq(facts.name, name))
}

/** Erases messages from and to this phone's account. */
export async function eraseAccountOf({ db }: OnDb, phone: string): Promise<void> {
  const id = accountOf(phone)
  await db.delete(messages).where(or(eq(messages.chatId, id), eq(messages.fromId, id)))
}

/** Same retention as other simulated phones; the next message of a conversation creates a new topic. */
export async function purgeSimulatedTelegram({ db }: OnDb): Promise<void> {
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

/** State in the rows of one group. */
export const storeOn = (stand: Stand): TelegramStore => ({
  groupId: stand.groupId,
  findTopic: (id) => lockTopic(stand, id),
  addTopic: (name) => makeSimulatedTopic(stand, name),
  renameTopic: (id, name) => nameSimulatedTopic(stand, id, name),
  closeTopic: (id, isClosed) => closeSimulatedTopic(stand, id, isClosed),
  deleteTopic: (id) => deleteSimulatedTopic(stand, id),
  addMessage: (message) => keepOnTelegram(stand, { ...message, name: null, event: null, fromId: null }),
  hasMessage: (chatId, id) => isThere(stand, chatId, id),
  deleteMessages: (chatId, ids) => deleteFromTelegram(stand, chatId, ids),
  findFact: (name) => findFact(stand, name),
  setFact: (name, value) => noteFact(stand, name, value),
  deleteFact: (name) => dropFact(stand, name),
})
