import { jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'

/** The provider's templates as of the last synchronisation; only APPROVED ones may be sent. */
export const whatsappTemplates = pgTable(
  'whatsapp_templates',
  {
    id: rowId(),
    providerId: text(),
    name: text().notNull(),
    language: text().notNull(),
    /** MARKETING, UTILITY or AUTHENTICATION */
    category: text().notNull(),
    /** APPROVED, PENDING, REJECTED, PAUSED, DISABLED …, as the provider reports it */
    status: text().notNull(),
    components: jsonb().$type<Record<string, unknown>[]>().notNull().default([]),
    quality: text(),
    rejectedReason: text(),
    /** Null if the provider no longer lists it. */
    syncedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [unique('whatsapp_templates_once').on(t.name, t.language)],
)
