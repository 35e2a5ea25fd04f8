import { sql } from 'drizzle-orm'
import { boolean, date, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { vendors } from '../vendors/tables.ts'

/** Days without delivery: public holidays (no vendor) and closures of one vendor. */
export const holidays = pgTable(
  'holidays',
  {
    id: rowId(),
    day: date({ mode: 'string' }).notNull(),
    vendorId: integer().references(() => vendors.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    nameAr: text().notNull(),
    /** A Hijri date that is announced shortly before. */
    isEstimated: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('holidays_once').on(t.day, sql`coalesce(${t.vendorId}, 0)`)],
)
