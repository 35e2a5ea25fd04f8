import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { orders } from '../orders/tables.ts'

/** What the older system is to be told, one row for each version of an order; orders never wait for it. */
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
     * What was told, word for word: while it is unknown whether it arrived, it is told again under the same key, and
     * nothing newer before it. Null before the first try, and once it is certain.
     */
    body: jsonb(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull().defaultNow(),
    claimedAt: instant(),
    lastStatus: integer(),
    lastError: text(),
    /** What the older system answered. */
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
