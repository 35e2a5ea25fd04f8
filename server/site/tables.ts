import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Settings of the installation by key, such as `company.address`; missing ones are not shown. */
export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedBy: integer(),
  updatedAt: instant().notNull().defaultNow(),
})
