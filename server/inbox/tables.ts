import type { FileProblem } from '@qatra/contract/whatsapp-message'
import { sql } from 'drizzle-orm'
import { boolean, check, customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { contacts, whatsappMessages } from '../conversations/tables.ts'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'

/** What the staff write to each other beside a conversation; the customer never sees it. */
export const conversationNotes = pgTable(
  'conversation_notes',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    authorId: integer().references(() => users.id, { onDelete: 'set null' }),
    body: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.contactId, t.id)],
)

/** Answers that are always the same, in both languages, each under a short name. */
export const cannedReplies = pgTable('canned_replies', {
  id: rowId(),
  shortcut: text().notNull().unique(),
  title: text().notNull(),
  titleAr: text().notNull(),
  body: text().notNull(),
  bodyAr: text().notNull(),
  isActive: boolean().notNull().default(true),
  createdBy: integer(),
  updatedBy: integer(),
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant().notNull().defaultNow(),
})

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Pictures that customers sent, made anew from their pixels. They go with their message, and so with its contact. */
export const messagePictures = pgTable('message_pictures', {
  messageId: integer()
    .primaryKey()
    .references(() => whatsappMessages.id, { onDelete: 'cascade' }),
  /** WebP */
  bytes: bytea().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: instant().notNull().defaultNow(),
})

/**
 * Voice messages, videos and documents that customers sent: each as it came, once its kind is known by its contents; or
 * why it is not here. Both missing: it was asked for again. They go with their message, and so with its contact.
 */
export const messageFiles = pgTable(
  'message_files',
  {
    messageId: integer()
      .primaryKey()
      .references(() => whatsappMessages.id, { onDelete: 'cascade' }),
    /** Not packed: a part of it is read without the rest. */
    bytes: bytea(),
    /** By its contents; whatever the sender calls it. */
    mimeType: text(),
    /** Bytes; of what is not here as the provider says. */
    size: integer(),
    /** How long it plays, where the file says so. */
    seconds: integer(),
    problem: text().$type<FileProblem>(),
    createdAt: instant().notNull().defaultNow(),
    changedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check(
      'message_files_whole',
      sql`${t.bytes} is null or (${t.mimeType} is not null and ${t.size} is not null and ${t.problem} is null)`,
    ),
  ],
)
