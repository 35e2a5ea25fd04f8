import type { AttemptReason } from '@qatra/contract/drivers'
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { orders } from '../orders/tables.ts'
import { users } from '../users/tables.ts'

/** Append-only failed delivery attempts. The reason's notes are in the order's history. */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    id: rowId(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    driverId: integer().references(() => users.id),
    reason: text().$type<AttemptReason>().notNull(),
    key: text().notNull(),
    createdBy: integer(),
    onBehalfOf: integer(),
    happenedAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('delivery_attempts_key').on(t.orderId, t.key),
    index('delivery_attempts_by_driver').on(t.driverId, t.happenedAt),
  ],
)
