import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import type { Outgoing } from '../providers/message.ts'
import { users } from '../users/tables.ts'

/** Somebody a channel reaches: by phone, by the business-scoped id that newer accounts show instead, or by both. */
export const contacts = pgTable(
  'contacts',
  {
    id: rowId(),
    phone: text().unique(),
    businessScopedId: text().unique(),
    name: text(),
    language: text(),
    /** Wants no marketing since then; what answers the person or serves an order still goes. */
    optedOutAt: instant(),
    /** How the last answer about marketing came: `message`, `provider`, `profile`, `admin`. */
    optOutSource: text(),
    optOutChangedAt: instant(),
    /** Name and phone as `fold` of the contract writes them: what a search looks into. */
    searchText: text().generatedAlwaysAs(sql`fold_text(coalesce(name, '') || ' ' || coalesce(phone, ''))`),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('contacts_search').using('gin', t.searchText.op('gin_trgm_ops')),
    check('contacts_reachable', sql`num_nonnulls(${t.phone}, ${t.businessScopedId}) >= 1`),
  ],
)

/** One conversation for each contact: who attends to it, what is unread, and whether the bot is silent. */
export const whatsappConversationThreads = pgTable(
  'whatsapp_conversation_threads',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .unique()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    phoneNumber: text().unique(),
    /** The topic in the staff's Telegram group that mirrors it. */
    telegramThreadId: text(),
    threadName: text(),
    lastActivity: instant().notNull().defaultNow(),
    lastMessageId: integer(),
    /** Of the customer; the service window is the 24 hours after it. */
    lastIncomingAt: instant(),
    unreadCount: integer().notNull().default(0),
    assignedTo: integer().references(() => users.id, { onDelete: 'set null' }),
    assignedAt: instant(),
    /** A person of the shop answers; the bot is silent until then. */
    pausedUntil: instant(),
    pausedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The last answer that a person of the shop wrote. */
    humanRepliedAt: instant(),
    /** Since when the customer waits for a person; null once one has replied or the bot was called back. */
    handoffAt: instant(),
    handoffReason: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('conversations_latest').on(t.lastActivity.desc(), t.id.desc()),
    index('conversations_unread').on(t.lastActivity.desc()).where(sql`${t.unreadCount} > 0`),
    index('conversations_waiting').on(t.handoffAt).where(sql`${t.handoffAt} is not null`),
    index('conversations_of_staff').on(t.assignedTo, t.lastActivity.desc()),
    uniqueIndex('conversations_by_topic').on(t.telegramThreadId).where(sql`${t.telegramThreadId} is not null`),
    check('conversations_unread_count', sql`${t.unreadCount} >= 0`),
  ],
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
    /** The message in words: what the inbox shows and searches. */
    content: text(),
    /** Going out: what the gateway is given. Coming in: what `received.ts` made of it. */
    payload: jsonb().$type<Outgoing | Record<string, unknown>>(),
    /** The provider's id of the message that this one answers. */
    contextMessageId: text(),
    /** `unknown`: handed over, and nobody said whether it was taken; never sent again, a receipt may settle it. */
    status: text()
      .$type<'queued' | 'unknown' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'>()
      .notNull()
      .default('queued'),
    /** Of the last change of status; the sender's own time where it came in. */
    timestamp: instant(),
    /** Taken on by a worker; whatever is taken on is never handed over by another. */
    claimedAt: instant(),
    sentAt: instant(),
    deliveredAt: instant(),
    /** By the customer; `readAt` is when the shop's people read what came in. */
    seenAt: instant(),
    webhookData: jsonb(),
    processed: boolean().notNull().default(false),
    botResponseSent: boolean().notNull().default(false),
    botResponseText: text(),
    sentByType: text().notNull().default('bot'),
    sentByUserId: integer(),
    readByAdmin: boolean().notNull().default(false),
    readAt: instant(),
    errors: jsonb().$type<{ code: string; text: string; kind: string; at: string }[]>().notNull().default([]),
    searchText: text().generatedAlwaysAs(sql`fold_text(coalesce(content, ''))`),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.contactId, t.id),
    index().on(t.toNumber, t.id),
    index('messages_search').using('gin', t.searchText.op('gin_trgm_ops')),
    index('messages_not_worked').on(t.contactId, t.id).where(sql`${t.direction} = 'incoming' and not ${t.processed}`),
    index('messages_waiting').on(t.createdAt).where(sql`${t.status} = 'queued'`),
    check(
      'whatsapp_messages_status',
      sql`${t.status} in ('queued','unknown','sent','delivered','read','failed','received')`,
    ),
  ],
)

/** Receipts of messages that are not known (yet); joined when the message's id is noted. */
export const orphanReceipts = pgTable(
  'orphan_receipts',
  {
    id: rowId(),
    messageId: text().notNull(),
    status: text().$type<'sent' | 'delivered' | 'read' | 'failed'>().notNull(),
    at: instant().notNull(),
    error: jsonb(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('orphan_receipts_once').on(t.messageId, t.status), index().on(t.createdAt)],
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
    /** Sealed too: buttons, list and the like, as the phone shows them. */
    sealedParts: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone, t.createdAt), index().on(t.createdAt)],
)
