import { type AreaGeometry, boxOf } from '@qatra/contract/places/geo'
import { sql } from 'drizzle-orm'
import { customType, doublePrecision, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'

/** PostgreSQL's output format of a bounding box: upper right corner, then lower left. */
export function boxText(geometry: AreaGeometry): string {
  const { west, south, east, north } = boxOf(geometry)
  return `((${east},${north}),(${west},${south}))`
}

export const box = customType<{ data: string }>({ dataType: () => 'box' })

/** WGS 84 (SRID 4326). `bounds` is the bounding box of the geometry: lookups use its index first, then test exactly. */
export const areas = pgTable(
  'areas',
  {
    id: rowId(),
    /** Code of the area outside this system. */
    areaId: text().notNull().unique(),
    name: text().notNull(),
    nameAr: text(),
    oldDbId: text(),
    geometry: jsonb().$type<AreaGeometry>().notNull(),
    bounds: box().notNull(),
    /** A point inside: the pin if the area is chosen from a list. */
    centreLat: doublePrecision().notNull(),
    centreLng: doublePrecision().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index('areas_bounds').using('gist', sql`${t.bounds}`)],
)
