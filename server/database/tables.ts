import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Completed data migrations that need code, by name. */
export const backfills = pgTable('backfills', {
  name: text().primaryKey(),
  completedAt: instant().notNull().defaultNow(),
})
