import type { DoorCount } from '@qatra/contract/my-bottles'
import type { BuyerTexts } from '@qatra/contract/orders/buyer'
import type { OrderTotals } from '@qatra/contract/orders/totals'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { instant } from '../../database/columns.ts'
import { vendors } from '../../vendors/tables.ts'
import { type orderItems, orders } from '../tables.ts'

/** The Bahrain day on which a paper counts. */
const paperDay = ({ day, issuedAt }: { day: AnyPgColumn; issuedAt: AnyPgColumn }) =>
  sql`coalesce(${day}, timezone('Asia/Bahrain', ${issuedAt})::date)`

/**
 * Invoices: each delivery of an order has one, numbered per vendor from 1 without gaps. Never updated. Of those issued
 * before they kept a copy, an order has one, bill and buyer are null and its lines are those of the order.
 */
export const receipts = pgTable(
  'receipts',
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    number: integer().notNull(),
    /** Seller details required by tax law, as of the day of the number. */
    seller: jsonb().$type<Seller>().notNull(),
    /** Of the order, else of the customer's account on that day. */
    buyerVatNumber: text(),
    bill: jsonb().$type<Bill>(),
    /** Emptied when the customer is erased. */
    buyer: jsonb().$type<Buyer>(),
    /**
     * The Bahrain day on which it counts, as its sale does, so that it never joins a closed day; null in rows of an earlier
     * version, which count on the day of issue.
     */
    day: date({ mode: 'string' }),
    issuedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.vendorId, t.number] }),
    index('receipts_of_day').on(t.vendorId, paperDay(t)),
    index('receipts_of_order').on(t.orderId),
    check('receipts_number_positive', sql`${t.number} > 0`),
  ],
)

/** Each credits one invoice whole, as its delivery was taken back. A series of its own per vendor. Never updated. */
export const creditNotes = pgTable(
  'credit_notes',
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    vendorId: integer().notNull(),
    number: integer().notNull(),
    invoiceNumber: integer().notNull(),
    bill: jsonb().$type<Bill>().notNull(),
    /** Emptied when the customer is erased. */
    buyer: jsonb().$type<Buyer>(),
    /** As that of a receipt. */
    day: date({ mode: 'string' }),
    issuedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.vendorId, t.number] }),
    index('credit_notes_of_day').on(t.vendorId, paperDay(t)),
    unique('credit_notes_invoice').on(t.vendorId, t.invoiceNumber),
    foreignKey({
      name: 'credit_notes_of_invoice',
      columns: [t.vendorId, t.invoiceNumber],
      foreignColumns: [receipts.vendorId, receipts.number],
    }),
    index('credit_notes_of_order').on(t.orderId),
    check('credit_notes_number_positive', sql`${t.number} > 0`),
  ],
)

/** A copy of what was billed, so that a number names one bill. Money in fils. */
export interface Bill {
  lines: BillLine[]
  totals: OrderTotals<number>
  /** ISO instant. */
  deliveredAt: string | null
  /** Empties, without the name of who counted; missing in copies from before they were on the paper. */
  bottles?: DoorCount[]
}

export type BillLine = Pick<
  typeof orderItems.$inferSelect,
  | 'name'
  | 'nameAr'
  | 'size'
  | 'price'
  | 'vatPercentage'
  | 'quantity'
  | 'inventoryUnit'
  | 'inventoryUnitAr'
  | 'unitsPerInventoryUnit'
> &
  // Missing in copies from before bottles were exchanged.
  Partial<Pick<typeof orderItems.$inferSelect, 'bottleTerms'>> & { vat: number }

export type Buyer = Pick<
  typeof orders.$inferSelect,
  'customerName' | 'phone' | 'address' | 'receiverName' | 'receiverPhone'
> &
  Partial<Omit<BuyerTexts, 'vatNumber'>>

export interface Seller {
  name: string
  nameAr: string | null
  address: string | null
  addressAr: string | null
  crNumber: string | null
  vatNumber: string | null
}
