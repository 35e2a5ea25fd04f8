import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Settings of the installation by key, such as `company.address`; blank and missing ones are not shown. */
export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: text().notNull(),
  /** Version of the settings that changed this one; the greatest is the version of all. */
  version: integer().notNull().default(1),
  updatedBy: integer(),
  updatedAt: instant().notNull().defaultNow(),
})
