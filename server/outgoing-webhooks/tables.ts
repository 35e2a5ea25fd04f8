import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'
import { vendors } from '../vendors/tables.ts'

/** Addresses of other programs that receive the events of orders. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: rowId(),
    /** Null for the whole market. */
    vendorId: integer().references(() => vendors.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    events: text().array().notNull(),
    /** Of the signatures, sealed for the address. */
    secret: text().notNull(),
    isEnabled: boolean().notNull().default(true),
    /** Since when no message arrived; null after one that did. */
    failingSince: instant(),
    /** Failures since the last message that arrived. */
    failures: integer().notNull().default(0),
    lastError: text(),
    /** Nothing is sent before, so that a receiver that is away costs little. */
    resumeAt: instant().notNull().defaultNow(),
    /** When it was disabled because of failures. */
    stoppedAt: instant(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.vendorId)],
)

/** Messages to the endpoints: written by `orders.sql` with the change of the order, sent in the order of their ids. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: rowId(),
    endpointId: integer()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    /** The order; messages of one subject are sent one after another. */
    subject: text().notNull(),
    type: text().notNull(),
    /** Ids and states, no personal data. */
    data: jsonb().notNull(),
    status: text().$type<'pending' | 'sending' | 'delivered' | 'failed'>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull().defaultNow(),
    claimedAt: instant(),
    lastStatus: integer(),
    lastError: text(),
    deliveredAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('webhook_deliveries_open').on(t.endpointId, t.id).where(sql`${t.status} in ('pending','sending')`),
    index('webhook_deliveries_subject')
      .on(t.endpointId, t.subject, t.id)
      .where(sql`${t.status} in ('pending','sending')`),
    index('webhook_deliveries_newest').on(t.endpointId, t.id.desc()),
    index('webhook_deliveries_age').on(t.createdAt),
    check('webhook_deliveries_status', sql`${t.status} in ('pending','sending','delivered','failed')`),
  ],
)
