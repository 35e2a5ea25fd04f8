import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import type { AccountFacts } from './account-facts.ts'

/** Meta's last answers about the account; a single row. */
export const whatsappAccount = pgTable(
  'whatsapp_account',
  {
    id: integer().primaryKey().default(1),
    /** Fingerprint of the settings that were asked with: answers about other settings do not count. */
    settings: text().notNull(),
    facts: jsonb().$type<AccountFacts>().notNull(),
    checkedAt: instant().notNull(),
    /** Of the last check in which Meta answered. */
    answeredAt: instant(),
  },
  (t) => [check('whatsapp_account_one', sql`${t.id} = 1`)],
)

/** Templates that the set-up page submitted, one row each. */
export const templateSubmissions = pgTable(
  'template_submissions',
  {
    id: rowId(),
    name: text().notNull(),
    language: text().notNull(),
    state: text().$type<'waiting' | 'failed' | 'done'>().notNull().default('waiting'),
    /** Meta's words. */
    error: text(),
    askedAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('template_submissions_once').on(t.name, t.language),
    check('template_submissions_state', sql`${t.state} in ('waiting','failed','done')`),
  ],
)
