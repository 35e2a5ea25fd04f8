import type { FileProblem } from '@qatra/contract/whatsapp/inbox/message'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { contacts, whatsappMessages } from '../conversations/tables.ts'
import { instant, rowId } from '../database/columns.ts'
import { media } from '../media/tables.ts'
import { users } from '../users/tables.ts'

/** Internal notes of staff on a conversation; never visible to the customer. */
export const conversationNotes = pgTable(
  'conversation_notes',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    authorId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The author's vendor when it was written; null for the market's staff. */
    vendorId: integer(),
    body: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.contactId, t.id), index().on(t.authorId)],
)

/** Turns of staff who answer. */
export const answererTurns = pgTable('answerer_turns', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Since when they are off duty by their own word. */
  awaySince: instant(),
  /** When the last conversation came to them in turn. */
  lastGivenAt: instant(),
})

/** Canned replies, each with a shortcut and a text in one language or in both; an empty one is missing. */
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

/**
 * Files that customers sent (pictures, voice messages, videos, documents): the stored file, or the reason why there is
 * none. If both are null, the file was requested again. Deleted with their message.
 */
export const messageFiles = pgTable(
  'message_files',
  {
    messageId: integer()
      .primaryKey()
      .references(() => whatsappMessages.id, { onDelete: 'cascade' }),
    sha256: text().references(() => media.sha256),
    /** Bytes; for a missing file as reported by the provider. */
    size: integer(),
    /** Duration, if the file has it. */
    seconds: integer(),
    problem: text().$type<FileProblem>(),
    createdAt: instant().notNull().defaultNow(),
    changedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.sha256),
    check('message_files_whole', sql`${t.sha256} is null or (${t.size} is not null and ${t.problem} is null)`),
  ],
)
