import type { Lang } from '@qatra/contract/lib/lang'
import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { contacts, whatsappMessages } from '../conversations/tables.ts'
import { instant, rowId } from '../database/columns.ts'

/** The bot's state per contact. */
export const botSessions = pgTable(
  'bot_sessions',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .unique()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    phoneNumber: text().unique(),
    currentState: text().notNull().default('idle'),
    currentVendorId: integer(),
    contextData: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    language: text().$type<Lang>().notNull().default('en'),
    deliveryLatitude: doublePrecision(),
    deliveryLongitude: doublePrecision(),
    deliveryAddress: text(),
    deliveryAreaId: integer(),
    addressNotes: text(),
    misunderstandings: integer().notNull().default(0),
    /** Last processed message, so that a redelivered one is not answered again. */
    lastMessageId: integer(),
    lastMessageAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.lastMessageAt)],
)

export const botMessageHistory = pgTable(
  'bot_message_history',
  {
    id: rowId(),
    contactId: integer().references(() => contacts.id, { onDelete: 'cascade' }),
    messageId: integer().references(() => whatsappMessages.id, { onDelete: 'set null' }),
    phoneNumber: text(),
    messageType: text(),
    messageText: text(),
    detectedIntent: text(),
    detectedLanguage: text(),
    botState: text(),
    responseGenerated: text(),
    processingTimeMs: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.contactId, t.id),
    index().on(t.createdAt),
    index('bot_history_of_message').on(t.messageId).where(sql`${t.messageId} is not null`),
  ],
)
