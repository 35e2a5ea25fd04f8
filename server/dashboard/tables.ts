import { bigint, boolean, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * Past days in Bahrain with stored figures. A trigger deletes a day in the transaction that changes one of its orders;
 * until it is stored again, its orders are counted.
 */
export const orderDays = pgTable('order_days', {
  day: date({ mode: 'string' }).primaryKey(),
  /** False once an order has changed its status; the other figures are still valid. */
  statusesHold: boolean().notNull().default(true),
  countedAt: instant().notNull().defaultNow(),
})

/** Stored figures of a day; valid while the day exists in `order_days`. */
export const orderDayFigures = pgTable(
  'order_day_figures',
  {
    /** 0 for all vendors together. */
    vendorId: integer().notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** Dimension: status, hour, area, vendor, product, agreed prices. */
    kind: text().notNull(),
    key: text().notNull(),
    orders: integer().notNull(),
    /** Fils of the orders' totals; pieces for products. */
    amount: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.vendorId, t.day, t.kind, t.key] })],
)
