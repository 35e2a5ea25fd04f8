import type { Kind } from '@qatra/contract/notification-kinds'
import type { OrderStatus } from '@qatra/contract/order-status'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'

/**
 * What happened, for whoever is to hear of it. A trigger lets one transaction at a time count, so that ids become
 * visible in their order: whoever has read up to one has missed none below it.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: rowId(),
    kind: text().$type<Kind>().notNull(),
    orderId: text(),
    /** Whose conversation it is about. */
    contactId: integer(),
    vendorId: integer(),
    /** Who drives the order, and who drove it before this. */
    driverId: integer(),
    formerDriverId: integer(),
    /** Who of sales took the order. */
    agentId: integer(),
    status: text().$type<OrderStatus>(),
    /** Whose doing it was. */
    byId: integer(),
    /** The job that wrote it: delivered twice, it writes once. */
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

/** Up to where somebody has read everything. */
export const notificationMarks = pgTable('notification_marks', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  readUpTo: integer().notNull(),
})

/** What somebody read beyond that. */
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
