import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'
import type { Alarm } from '../lib/alerts.ts'

/** The newest alarm of each kind, which one process sends. */
export const alarms = pgTable('alarms', {
  kind: text().$type<Alarm['kind']>().primaryKey(),
  figures: jsonb().$type<Alarm['figures']>().notNull(),
  /** When a process began to send it. */
  claimedAt: instant().notNull().defaultNow(),
  sentAt: instant(),
})
