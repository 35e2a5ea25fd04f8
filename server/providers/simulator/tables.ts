import { boolean, foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../../database/columns.ts'

/** Messages of simulated phones, encrypted so that no copy of the database shows a code. */
export const simulatedMessages = pgTable(
  'simulated_messages',
  {
    id: text().primaryKey(),
    /** The customer's phone in both directions. */
    phone: text().notNull(),
    direction: text().$type<'incoming' | 'outgoing'>().notNull(),
    channel: text().$type<'whatsapp' | 'sms' | 'telegram'>().notNull(),
    sealedBody: text().notNull(),
    /** Encrypted too: buttons, list and so on, as the phone shows them. */
    sealedParts: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone, t.createdAt), index().on(t.createdAt)],
)

/** Files that simulated phones received, encrypted like the messages. */
export const simulatedFiles = pgTable('simulated_files', {
  messageId: text()
    .primaryKey()
    .references(() => simulatedMessages.id, { onDelete: 'cascade' }),
  mimeType: text().notNull(),
  sealedBytes: text().notNull(),
})
/**
 * Account id of a phone in the simulated Telegram, also of its private chat: the digits after a 5, larger than any real
 * id (52 bits). If a real bot is configured later, they match no real account.
 */
export const accountOf = (phone: string) => `5${phone.slice(1).padStart(15, '0')}`

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
