import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../database/columns.ts'

/** Keys of the Cloud API that were entered on the set-up page, one row each. */
export const whatsappKeys = pgTable('whatsapp_keys', {
  name: text().primaryKey(),
  /** AES-256-GCM; the key is derived from the secret of the installation. */
  sealed: text().notNull(),
  updatedBy: integer(),
  updatedAt: instant().notNull().defaultNow(),
})
