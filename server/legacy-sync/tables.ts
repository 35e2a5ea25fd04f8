import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { orders } from '../orders/tables.ts'

/** Outbox for the older system, one row per version of an order. Orders do not wait for it. */
export const legacyOutbox = pgTable(
  'legacy_outbox',
  {
    id: rowId(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    orderVersion: integer().notNull(),
    event: text().notNull(),
    status: text().$type<'pending' | 'sending' | 'done' | 'failed'>().notNull().default('pending'),
    /**
     * The exact request body. While its arrival is unknown, it is resent under the same key before any newer version.
     * Null before the first attempt and once the result is known.
     */
    body: jsonb(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull().defaultNow(),
    claimedAt: instant(),
    lastStatus: integer(),
    lastError: text(),
    /** Response of the older system. */
    answer: jsonb(),
    doneAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('legacy_outbox_once').on(t.orderId, t.orderVersion),
    index('legacy_outbox_due').on(t.nextAttemptAt).where(sql`${t.status} in ('pending','sending')`),
    index('legacy_outbox_newest').on(t.createdAt.desc(), t.id.desc()),
    check('legacy_outbox_status', sql`${t.status} in ('pending','sending','done','failed')`),
  ],
)
