import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../database/columns.ts'

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
