import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
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
