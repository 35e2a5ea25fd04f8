import { boolean, foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../../database/columns.ts'

/** Topics of the make-believe group of the staff. */
export const simulatedTelegramTopics = pgTable('simulated_telegram_topics', {
  id: rowId(),
  chatId: text().notNull(),
  /** Sealed, as all that names or tells of somebody: it holds a customer's name and phone. */
  sealedName: text().notNull(),
  isClosed: boolean().notNull().default(false),
  createdAt: instant().notNull().defaultNow(),
})

/** What stands in a make-believe chat. Its number is Telegram's number of the message. */
export const simulatedTelegramMessages = pgTable(
  'simulated_telegram_messages',
  {
    id: rowId(),
    /** A private chat has the number of its account. */
    chatId: text().notNull(),
    threadId: integer(),
    /** The account that wrote it; null is the bot. */
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

/** What Telegram knows beside its chats: where it calls the bot, and who is to be left alone for a moment. */
export const simulatedTelegramFacts = pgTable('simulated_telegram_facts', {
  name: text().primaryKey(),
  sealedValue: text().notNull(),
  changedAt: instant().notNull().defaultNow(),
})
