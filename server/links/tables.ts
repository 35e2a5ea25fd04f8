import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'

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
    revokedBy: integer(),
    /** When a person viewed its page; link previews do not count. */
    openedAt: instant(),
    /** Message that carries the link, and its campaign, if it was sent. */
    messageId: integer(),
    campaignId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone), index('magic_links_newest').on(t.createdAt.desc(), t.id.desc())],
)
