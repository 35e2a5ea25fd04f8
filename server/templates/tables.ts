import { index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
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
    /** Category that the provider announced for the coming day. */
    nextCategory: text(),
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

/** Changes of status, quality and category that the provider reported, and edits of the shop (`content`). */
export const whatsappTemplateChanges = pgTable(
  'whatsapp_template_changes',
  {
    id: rowId(),
    templateId: integer()
      .notNull()
      .references(() => whatsappTemplates.id, { onDelete: 'cascade' }),
    field: text().$type<'status' | 'quality' | 'category' | 'next-category' | 'content'>().notNull(),
    from: text('from_value'),
    to: text('to_value'),
    reason: text(),
    /** The provider's time. */
    at: instant().notNull(),
  },
  (t) => [
    index('template_changes_of_template').on(t.templateId, t.at.desc()),
    unique('template_changes_once').on(t.templateId, t.field, t.to, t.at).nullsNotDistinct(),
  ],
)
