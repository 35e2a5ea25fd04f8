import { boolean, foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../../../database/columns.ts'

/** Topics of the simulated staff group. */
export const simulatedTelegramTopics = pgTable('simulated_telegram_topics', {
  id: rowId(),
  chatId: text().notNull(),
  /** Encrypted, since it contains a customer's name and phone. */
  sealedName: text().notNull(),
  isClosed: boolean().notNull().default(false),
  createdAt: instant().notNull().defaultNow(),
})

/** Messages of simulated chats; the id is Telegram's message id. */
export const simulatedTelegramMessages = pgTable(
  'simulated_telegram_messages',
  {
    id: rowId(),
    /** A private chat has the id of its account. */
    chatId: text().notNull(),
    threadId: integer(),
    /** The author's account; null for the bot. */
    fromId: text(),
    /** `{text, name, event}`. */
    sealedBody: text().notNull(),
    replyToId: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.chatId, t.id),
    index().on(t.threadId, t.id),
    index().on(t.createdAt),
    foreignKey({
      name: 'simulated_telegram_messages_topic',
      columns: [t.threadId],
      foreignColumns: [simulatedTelegramTopics.id],
    }).onDelete('cascade'),
  ],
)

/** State outside of chats: webhook URL, and rate-limited accounts. */
export const simulatedTelegramFacts = pgTable('simulated_telegram_facts', {
  name: text().primaryKey(),
  sealedValue: text().notNull(),
  changedAt: instant().notNull().defaultNow(),
})
