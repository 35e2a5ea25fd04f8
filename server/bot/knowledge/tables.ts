import type { ShopTopic } from '@qatra/contract/whatsapp/bot'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { areas } from '../../areas/tables.ts'
import { contacts, whatsappMessages } from '../../conversations/tables.ts'
import { instant, rowId } from '../../database/columns.ts'
import { products } from '../../products/tables.ts'
import { vendors } from '../../vendors/tables.ts'

/**
 * Answers by staff: those of a topic replace the default, those with a title are added. A topic that returned to
 * its default keeps its row, so that its version goes on.
 */
export const botAnswers = pgTable(
  'bot_answers',
  {
    id: rowId(),
    topic: text().$type<ShopTopic>().unique(),
    title: text(),
    ar: text(),
    en: text(),
    version: integer().notNull().default(1),
    updatedBy: integer(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check('bot_answers_topic_or_title', sql`(${t.topic} is null) <> (${t.title} is null)`),
    check('bot_answers_both_languages', sql`(${t.ar} is null) = (${t.en} is null)`),
  ],
)

/** Further names by staff; each means one thing. */
export const botAliases = pgTable(
  'bot_aliases',
  {
    id: rowId(),
    text: text().notNull(),
    /** The folded words without articles, as the names of the catalogue are looked up. */
    key: text().notNull().unique(),
    vendorId: integer().references(() => vendors.id, { onDelete: 'cascade' }),
    productId: integer().references(() => products.id, { onDelete: 'cascade' }),
    areaId: integer().references(() => areas.id, { onDelete: 'cascade' }),
    size: text(),
    /** The English name of a landmark. */
    landmark: text(),
    topic: text().$type<ShopTopic>(),
    answerId: integer().references(() => botAnswers.id, { onDelete: 'cascade' }),
    createdBy: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.answerId),
    check(
      'bot_aliases_one_meaning',
      sql`num_nonnulls(${t.vendorId}, ${t.productId}, ${t.areaId}, ${t.size}, ${t.landmark}, ${t.topic}, ${t.answerId}) = 1`,
    ),
  ],
)

/** Messages that were not understood, without phone numbers and addresses; one row a message, for 90 days. */
export const botMisses = pgTable(
  'bot_misses',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    messageId: integer()
      .notNull()
      .unique()
      .references(() => whatsappMessages.id, { onDelete: 'cascade' }),
    /** Groups texts that differ only in spelling marks and numbers. */
    key: text().notNull(),
    text: text().notNull(),
    /** What staff did about it. A dismissed text stays off the list when it comes again. */
    closedAs: text().$type<'dismissed' | 'understood'>(),
    closedBy: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.key), index().on(t.contactId, t.createdAt), index().on(t.createdAt)],
)
