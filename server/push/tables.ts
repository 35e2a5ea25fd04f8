import { pgTable, text } from 'drizzle-orm/pg-core'
import { sessions } from '../auth/tables.ts'
import { instant } from '../database/columns.ts'

/** Devices that receive notifications: one subscription per session, so that it ends with the sign-in of the device. */
export const pushSubscriptions = pgTable('push_subscriptions', {
  sessionId: text()
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  /** Address at the browser's push service; whoever knows it and the keys below can write to the device. */
  endpoint: text().notNull().unique(),
  /** Keys of the browser, base64url. */
  p256dh: text().notNull(),
  auth: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
})
