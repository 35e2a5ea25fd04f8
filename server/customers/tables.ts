import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'

/** `vendorId` of what belongs to the whole market. */
export const MARKET = 0

/**
 * What somebody has ordered, of one vendor and (vendor 0) of all. Triggers on `orders` and `users` keep it, so that a
 * list of customers never has to add up orders.
 */
export const customerTotals = pgTable(
  'customer_totals',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    vendorId: integer().notNull(),
    /** Every order, the cancelled ones among them. */
    orderCount: integer().notNull().default(0),
    cancelledCount: integer().notNull().default(0),
    /** Fils; orders that were not cancelled. */
    spend: bigint({ mode: 'number' }).notNull().default(0),
    /** Cancelled later or not. */
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

/** What the office wrote down about a customer; a vendor's people see their own vendor's notes only. */
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
    /** The person whom an impersonator acted as. */
    onBehalfOf: integer(),
    createdAt: instant().notNull().defaultNow(),
    /** Struck out: it stays to be read with who did it. */
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
