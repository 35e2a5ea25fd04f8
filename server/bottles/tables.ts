import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { filsColumn, instant, rowId } from '../database/columns.ts'
import { vendors } from '../vendors/tables.ts'

/** Bottles that a vendor lends for a deposit, or sells. Never deleted: orders and ledgers name them. */
export const bottleTypes = pgTable(
  'bottle_types',
  {
    id: rowId(),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    name: text().notNull(),
    nameAr: text(),
    /** Of one bottle. */
    deposit: filsColumn().notNull(),
    /** Without it, products in this bottle ask for none. */
    isActive: boolean().notNull().default(true),
    version: integer().notNull().default(1),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    // Target of the products' foreign key, which excludes the bottle of another vendor.
    unique('bottle_types_of_vendor').on(t.id, t.vendorId),
    unique('bottle_types_name').on(t.vendorId, t.name),
    check('bottle_types_deposit', sql`${t.deposit} between 0 and 100000`),
  ],
)

/**
 * What customers hold: the sums of the ledger `bottles`, written with its entries. Customers and their addresses are tables of
 * higher folders; a deleted address leaves its bottles with the customer.
 */
export const bottleBalances = pgTable(
  'bottle_balances',
  {
    id: rowId(),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    customerId: integer().notNull(),
    bottleTypeId: integer()
      .notNull()
      .references(() => bottleTypes.id),
    /** Null if not known. */
    addressId: integer(),
    /** Negative if more came back than were known. */
    count: integer().notNull(),
    /** Fils of deposits that the customer has paid and not got back. */
    deposit: filsColumn().notNull(),
    /** The Bahrain day of the last entry. */
    movedOn: date({ mode: 'string' }).notNull(),
    /** Of all rows of the customer at the vendor: so that a list of thousands need not add them up. */
    held: integer().notNull().default(0),
    /** When the customer last ordered at the vendor; null: never. */
    orderedAt: instant(),
  },
  (t) => [
    unique('bottle_balances_once').on(t.vendorId, t.customerId, t.bottleTypeId, t.addressId).nullsNotDistinct(),
    index('bottle_balances_of_customer').on(t.customerId),
    index('bottle_balances_by_count').on(t.vendorId, t.count.desc(), t.id),
    // All that sums and figures read.
    index('bottle_balances_held').on(t.vendorId, t.held, t.orderedAt, t.count, t.deposit, t.customerId),
  ],
)
