import type { AttemptReason, CashKind } from '@qatra/contract/drivers'
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { filsColumn, instant, rowId } from '../database/columns.ts'
import { orders } from '../orders/tables.ts'
import { users } from '../users/tables.ts'
import { vendors } from '../vendors/tables.ts'

/** In which order a driver goes from stop to stop on one Bahrain day, once he began it or somebody arranged it. */
export const driverRuns = pgTable(
  'driver_runs',
  {
    driverId: integer()
      .notNull()
      .references(() => users.id),
    day: date({ mode: 'string' }).notNull(),
    orderIds: text().array().notNull(),
    /** Whether a person arranged it; else it was computed. */
    arrangedBy: integer(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.driverId, t.day] })],
)

/** Append-only: what was written once is put right by another row. Money in fils. */
export const cashEntries = pgTable(
  'cash_entries',
  {
    id: rowId(),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    driverId: integer()
      .notNull()
      .references(() => users.id),
    /** The Bahrain day whose cash it is. */
    day: date({ mode: 'string' }).notNull(),
    kind: text().$type<CashKind>().notNull(),
    amount: filsColumn().notNull(),
    orderId: text().references(() => orders.id),
    /** Number of the order's delivery, from 1; a reverted order can be delivered again. */
    delivery: integer().notNull().default(1),
    notes: text(),
    /** Made where the act was done, so that telling of it twice writes it once. */
    key: text().notNull(),
    createdBy: integer(),
    onBehalfOf: integer(),
    /** When it was done; told later where there was no network. */
    happenedAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('cash_entries_key').on(t.driverId, t.key),
    uniqueIndex('cash_entries_collected_once').on(t.orderId, t.delivery).where(sql`${t.kind} = 'collected'`),
    index('cash_entries_of_day').on(t.driverId, t.day),
    index('cash_entries_of_vendor').on(t.vendorId, t.day),
    check('cash_entries_kind', sql`${t.kind} in ('collected','counted','handed-over','correction')`),
    check('cash_entries_amount', sql`${t.amount} >= 0 or ${t.kind} = 'correction'`),
    check('cash_entries_collected_of_order', sql`${t.kind} <> 'collected' or ${t.orderId} is not null`),
  ],
)

/** Append-only: a driver stood there and could not deliver. The words said about it stand in the order's history. */
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
