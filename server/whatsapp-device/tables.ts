import type { AccountSeverity } from '@qatra/contract/whatsapp/connection/account'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'

/** Keys of the linked device, encrypted with the installation's secret. */
export const whatsappAuth = pgTable('whatsapp_auth', {
  id: rowId(),
  key: text().notNull().unique(),
  value: text().notNull(),
  updatedAt: instant().notNull().defaultNow(),
})

/** Single row shared by the linked device's process and the admin. */
export const whatsappConnection = pgTable(
  'whatsapp_connection',
  {
    id: integer().primaryKey().default(1),
    state: text().$type<'loading' | 'qr' | 'connected' | 'error' | 'qr_expired'>().notNull().default('loading'),
    /** Encrypted; only while it can be scanned. */
    sealedQr: text(),
    qrExpiresAt: instant(),
    phone: text(),
    error: text(),
    /** Last heartbeat of the process. */
    heartbeatAt: instant(),
    resetAskedAt: instant(),
    connectedAt: instant(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check('whatsapp_connection_one', sql`${t.id} = 1`),
    check('whatsapp_connection_state', sql`${t.state} in ('loading','qr','connected','error','qr_expired')`),
  ],
)

/** What the provider reported about the account and its number. */
export const whatsappAccountNotices = pgTable(
  'whatsapp_account_notices',
  {
    id: rowId(),
    /** Each event is stored once; the event itself is deleted earlier. */
    webhookEventId: integer().notNull().unique(),
    field: text().notNull(),
    event: text().notNull(),
    severity: text().$type<AccountSeverity>().notNull(),
    /** New messaging limit. */
    tier: text(),
    /** Low quality of the number begins or ends. */
    isFlagged: boolean(),
    text: text(),
    at: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('account_notices_newest').on(t.at.desc(), t.id.desc()),
    check('account_notices_severity', sql`${t.severity} in ('info','warning','critical')`),
  ],
)
