import type { Output, Parsed } from '@qatra/contract/endpoint'
import { westernDigits } from '@qatra/contract/lib/digits'
import type { Block, listBlocks as list } from '@qatra/contract/places/blocks-admin'
import type { Coordinates } from '@qatra/contract/places/geo'
import { asc, count, eq, or, type SQL, sql } from 'drizzle-orm'
import { smallestAt } from '../areas/queries.ts'
import { areas } from '../areas/tables.ts'
import type { Ctx } from '../database/context.ts'
import { blocks } from './tables.ts'

/** The imported block that covers a point; null if none does. On a border, the smaller block. */
export async function findBlockAt({ db }: Pick<Ctx, 'db'>, point: Coordinates): Promise<number | null> {
  const near = await db
    .select({ id: blocks.number, geometry: blocks.geometry })
    .from(blocks)
    .where(sql`${blocks.bounds} @> box(point(${point.lng}, ${point.lat}), point(${point.lng}, ${point.lat}))`)
  return smallestAt(near, point)?.id ?? null
}

export async function listBlocks(
  { db }: Ctx,
  { page, limit, search }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const where = searchFilter(search)
  const rows = db.select(columns).from(blocks).leftJoin(areas, eq(areas.id, blocks.areaId)).where(where)
  const totals = db.select({ total: count() }).from(blocks).leftJoin(areas, eq(areas.id, blocks.areaId)).where(where)
  const [items, [counted]] = await Promise.all([
    rows
      .orderBy(asc(blocks.number))
      .limit(limit)
      .offset((page - 1) * limit),
    totals,
  ])
  return { items: items satisfies Block[], page, limit, total: counted?.total ?? 0 }
}

const columns = {
  id: blocks.id,
  number: blocks.number,
  area: { id: areas.id, name: areas.name, nameAr: areas.nameAr },
  source: blocks.source,
  date: blocks.publishedOn,
}

/** The first digits of a number, or part of an area's name. */
function searchFilter(typed = ''): SQL | undefined {
  const sought = westernDigits(typed).trim()
  if (sought === '') return undefined
  if (/^\d+$/.test(sought)) return sql`starts_with(${blocks.number}::text, ${sought})`
  return or(holds(areas.name, sought), holds(areas.nameAr, sought))
}

const holds = (column: typeof areas.name | typeof areas.nameAr, sought: string) =>
  sql`strpos(fold_text(${column}), fold_text(${sought})) > 0`
