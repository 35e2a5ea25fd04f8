import type { Kind } from '@qatra/contract/notifications/kinds'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'

/**
 * Events for users. A trigger serializes inserts, so that ids become visible in order: a reader of one id has missed
 * none below it.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: rowId(),
    kind: text().$type<Kind>().notNull(),
    orderId: text(),
    /** The conversation's contact. */
    contactId: integer(),
    /** Vendors that reached the conversation at the time; see the policy of conversations. */
    vendorIds: integer().array().notNull().default([]),
    vendorId: integer(),
    /** The order's driver, and the previous one. */
    driverId: integer(),
    formerDriverId: integer(),
    /** The sales agent of the order. */
    agentId: integer(),
    status: text().$type<OrderStatus>(),
    /** The user who caused it. */
    byId: integer(),
    /** Idempotency key of the writing job. */
    source: text().notNull().unique(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('notifications_of_vendor').on(t.vendorId, t.id.desc()),
    index('notifications_of_driver').on(t.driverId, t.id.desc()).where(sql`${t.driverId} is not null`),
    index('notifications_of_former_driver')
      .on(t.formerDriverId, t.id.desc())
      .where(sql`${t.formerDriverId} is not null`),
    index('notifications_of_agent').on(t.agentId, t.id.desc()).where(sql`${t.agentId} is not null`),
    index().on(t.createdAt),
  ],
)

/** Id up to which a user has read everything. */
export const notificationMarks = pgTable('notification_marks', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  readUpTo: integer().notNull(),
})

/** Notifications read beyond that id. */
export const notificationReads = pgTable(
  'notification_reads',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    notificationId: integer()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.notificationId] }), index().on(t.notificationId)],
)
