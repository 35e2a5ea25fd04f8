import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../platform/columns.ts'

/** Somebody a channel reaches: by phone, by the business-scoped id that newer accounts show instead, or by both. */
export const contacts = pgTable(
  'contacts',
  {
    id: rowId(),
    phone: text().unique(),
    businessScopedId: text().unique(),
    name: text(),
    language: text(),
    optedOutAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [check('contacts_reachable', sql`num_nonnulls(${t.phone}, ${t.businessScopedId}) >= 1`)],
)

/** Every message in and out, whatever the channel. A code is stored as its words without the code. */
export const whatsappMessages = pgTable(
  'whatsapp_messages',
  {
    id: rowId(),
    /** Id the provider gave; null until it accepted the message. */
    messageId: text().unique(),
    /** What this message is for: the same news is never sent twice. */
    dedupeKey: text().unique(),
    contactId: integer().references(() => contacts.id, { onDelete: 'cascade' }),
    conversationId: text(),
    fromNumber: text(),
    toNumber: text(),
    direction: text().$type<'incoming' | 'outgoing'>().notNull(),
    channel: text().$type<'whatsapp' | 'sms' | 'telegram'>().notNull(),
    messageType: text().notNull().default('text'),
    content: text(),
    status: text()
      .$type<'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'>()
      .notNull()
      .default('queued'),
    timestamp: instant(),
    webhookData: jsonb(),
    processed: boolean().notNull().default(false),
    botResponseSent: boolean().notNull().default(false),
    botResponseText: text(),
    sentByType: text().notNull().default('bot'),
    sentByUserId: integer(),
    readByAdmin: boolean().notNull().default(false),
    readAt: instant(),
    errors: jsonb().$type<{ code: string; text: string; kind: string; at: string }[]>().notNull().default([]),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.contactId, t.id),
    index().on(t.toNumber, t.id),
    check('whatsapp_messages_status', sql`${t.status} in ('queued','sent','delivered','read','failed','received')`),
  ],
)

/** The phones of the simulator. What was said is sealed, so that no copy of the database shows a code. */
export const simulatedMessages = pgTable(
  'simulated_messages',
  {
    id: text().primaryKey(),
    /** The customer's side, whoever writes. */
    phone: text().notNull(),
    direction: text().$type<'incoming' | 'outgoing'>().notNull(),
    channel: text().$type<'whatsapp' | 'sms' | 'telegram'>().notNull(),
    sealedBody: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone, t.createdAt), index().on(t.createdAt)],
)
