import type { AddressParts } from '@qatra/contract/users/auth'
import type { DueAnswer } from '@qatra/contract/users/customers'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { areas } from '../areas/tables.ts'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'

/** `vendorId` of rows that belong to the whole market. */
export const MARKET = 0

/**
 * Totals of a customer's orders for one vendor and, with vendor 0, for all. Maintained by triggers on `orders` and
 * `users`, so that lists need no aggregation.
 */
export const customerTotals = pgTable(
  'customer_totals',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    vendorId: integer().notNull(),
    /** All orders, including cancelled ones. */
    orderCount: integer().notNull().default(0),
    cancelledCount: integer().notNull().default(0),
    /** Orders that the customer placed, not staff; with one the vendor knows the account's name. */
    ownCount: integer().notNull().default(0),
    /** Fils; orders that were not cancelled. */
    spend: bigint({ mode: 'number' }).notNull().default(0),
    /** Including cancelled orders. */
    firstOrderAt: instant(),
    lastOrderAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.vendorId] }),
    index('customer_totals_by_spend').on(t.vendorId, t.spend.desc(), t.userId),
    index('customer_totals_by_orders').on(t.vendorId, t.orderCount.desc(), t.userId),
    index('customer_totals_first').on(t.vendorId, t.firstOrderAt),
    index('customer_totals_newest').on(t.vendorId, t.lastOrderAt.desc().nullsLast(), t.userId),
  ],
)

/** Staff's notes about a customer; a vendor's staff see only their own vendor's. */
export const customerNotes = pgTable(
  'customer_notes',
  {
    id: rowId(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    vendorId: integer().notNull().default(MARKET),
    body: text().notNull(),
    createdBy: integer(),
    /** The user whom the author impersonated. */
    onBehalfOf: integer(),
    createdAt: instant().notNull().defaultNow(),
    /** Who removed the note; it stays visible with that name. */
    removedBy: integer(),
    removedAt: instant(),
  },
  (t) => [index().on(t.userId, t.vendorId, t.id)],
)

export const customerTags = pgTable(
  'customer_tags',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    vendorId: integer().notNull().default(MARKET),
    tags: text().array().notNull(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.vendorId] }), index().using('gin', t.tags)],
)

/** What a due customer said last, to the vendor's staff or, with vendor 0, to the market's. */
export const customerAnswers = pgTable(
  'customer_answers',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    vendorId: integer().notNull().default(MARKET),
    answer: text().$type<DueAnswer>().notNull(),
    /** The first day on which the customer may be asked again. */
    quietUntil: date().notNull(),
    createdBy: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.vendorId] }),
    check('customer_answers_answer', sql`${t.answer} in ('later','travelling','elsewhere','no-answer')`),
  ],
)

/** Imports of files of customers. */
export const customerImports = pgTable(
  'customer_imports',
  {
    id: rowId(),
    vendorId: integer().notNull().default(MARKET),
    fileName: text(),
    /** SHA-256 of the file, in hex. */
    fileHash: text().notNull(),
    rows: integer().notNull(),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    createdBy: integer(),
    createdAt: instant().notNull().defaultNow(),
    undoneAt: instant(),
    undoneBy: integer(),
  },
  (t) => [index().on(t.fileHash)],
)

/**
 * What an import brought for one customer. Undoing the import reads it; until the first order it is also the source of
 * the area, and of name and address for the vendor.
 */
export const customerImportRows = pgTable(
  'customer_import_rows',
  {
    importId: integer()
      .notNull()
      .references(() => customerImports.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The first data row of this phone. */
    row: integer().notNull(),
    /** The import created the account. */
    isNew: boolean().notNull(),
    name: text(),
    address: text(),
    addressParts: jsonb().$type<AddressParts>(),
    areaId: integer().references(() => areas.id, { onDelete: 'set null' }),
    consent: boolean(),
    /** How the customer agreed to marketing, in the words of the file. */
    consentWords: text(),
    /** Fields of the account that the import filled: `name`, `address`, `consent`. */
    filled: text().array().notNull(),
    /** Tags that the import added. */
    tags: text().array().notNull(),
    /** The note that the import added. */
    noteId: integer(),
    /** The import added the customer to the vendor. */
    isJoined: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.userId] }), index().on(t.userId)],
)
