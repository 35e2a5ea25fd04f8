import { bigint, boolean, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * Past days of Bahrain whose figures are kept. A trigger takes a day out in the very transaction that changes one of its
 * orders, so whoever sees the change does not see the day: it is counted from the orders until it is kept again.
 */
export const orderDays = pgTable('order_days', {
  day: date({ mode: 'string' }).primaryKey(),
  /** No longer true once an order only went on its way: whatever else was counted of the day still holds. */
  statusesHold: boolean().notNull().default(true),
  countedAt: instant().notNull().defaultNow(),
})

/** What was counted of a day; holds while the day stands in `order_days`. */
export const orderDayFigures = pgTable(
  'order_day_figures',
  {
    /** 0 for all vendors together. */
    vendorId: integer().notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** By what: status, hour, area, vendor, product. */
    kind: text().notNull(),
    key: text().notNull(),
    orders: integer().notNull(),
    /** Fils of the orders' totals; pieces for products. */
    amount: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.vendorId, t.day, t.kind, t.key] })],
)
