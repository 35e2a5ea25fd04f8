import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { contacts, whatsappMessages } from '../conversations/tables.ts'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'

/** One-time codes for linking a Telegram account; stored as hashes. */
export const telegramLinkCodes = pgTable(
  'telegram_link_codes',
  {
    id: rowId(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text().notNull().unique(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.userId)],
)

/** Incoming updates, each processed once. */
export const telegramUpdates = pgTable(
  'telegram_updates',
  {
    /** Telegram's id of the update. */
    id: bigint({ mode: 'number' }).primaryKey(),
    payload: jsonb(),
    status: text().$type<'received' | 'processed' | 'ignored' | 'failed'>().notNull().default('received'),
    errorMessage: text(),
    processedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.createdAt)],
)

/** Messages to Telegram, once per key, with the message they mirror. */
export const telegramMessages = pgTable(
  'telegram_messages',
  {
    id: rowId(),
    dedupeKey: text().notNull().unique(),
    chatId: text().notNull(),
    threadId: text(),
    telegramMessageId: text(),
    /** Telegram's id of the message it replies to, in the same chat. */
    replyToId: text(),
    contactId: integer().references(() => contacts.id, { onDelete: 'cascade' }),
    messageId: integer().references(() => whatsappMessages.id, { onDelete: 'cascade' }),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    content: text(),
    /** The mirrored message's file was sent with it. */
    hasFile: boolean().notNull().default(false),
    status: text().$type<'queued' | 'unknown' | 'sent' | 'failed'>().notNull().default('queued'),
    error: text(),
    claimedAt: instant(),
    sentAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.contactId),
    index('telegram_messages_of_message').on(t.messageId).where(sql`${t.messageId} is not null`),
    index().on(t.userId),
    uniqueIndex('telegram_messages_once')
      .on(t.chatId, t.telegramMessageId)
      .where(sql`${t.telegramMessageId} is not null`),
    check('telegram_messages_status', sql`${t.status} in ('queued','unknown','sent','failed')`),
  ],
)

/** What Telegram reported about a chat. */
export const telegramChats = pgTable(
  'telegram_chats',
  {
    chatId: text().primaryKey(),
    /** The person blocked the bot, or the group removed it. */
    isBlocked: boolean().notNull().default(false),
    /** The supergroup that the group became. */
    movedTo: text(),
    changedAt: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('telegram_chats_moved').on(t.movedTo).where(sql`${t.movedTo} is not null`)],
)
