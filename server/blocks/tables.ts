import type { AreaGeometry } from '@qatra/contract/places/geo'
import { sql } from 'drizzle-orm'
import { date, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { areas, box } from '../areas/tables.ts'
import { instant, rowId } from '../database/columns.ts'

/** Imported blocks of Bahrain's addresses, WGS 84. `bounds` is the bounding box of the geometry. */
export const blocks = pgTable(
  'blocks',
  {
    id: rowId(),
    number: integer().notNull().unique(),
    areaId: integer().references(() => areas.id, { onDelete: 'set null' }),
    geometry: jsonb().$type<AreaGeometry>().notNull(),
    bounds: box().notNull(),
    /** A point inside: the pin if the block is found by its number. */
    centreLat: doublePrecision().notNull(),
    centreLng: doublePrecision().notNull(),
    /** Who published the outline, and when. */
    source: text().notNull(),
    publishedOn: date({ mode: 'string' }).notNull(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index('blocks_bounds').using('gist', sql`${t.bounds}`)],
)
