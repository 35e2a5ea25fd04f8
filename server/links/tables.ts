import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../platform/columns.ts'

export const magicLinks = pgTable(
  'magic_links',
  {
    id: rowId(),
    phone: text().notNull(),
    /** SHA-256 of the token. */
    token: text().notNull().unique(),
    expiresAt: instant().notNull(),
    used: boolean().notNull().default(false),
    usedAt: instant(),
    redirectUrl: text(),
    redirectParams: jsonb().$type<Record<string, string>>(),
    createdBy: integer(),
    revokedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone)],
)
