import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { fils, toBhd } from '@qatra/contract/lib/money'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { Counted } from './counting.queries.ts'

interface Named {
  id: number
  name: string | null
  name_ar: string | null
  size: string
}

// Deleted areas keep the name of their last order.
const goneAreasSql = statement(
  'dashboard-gone-areas',
  `select a.id, o.area_name as name, o.area_name_ar as name_ar, '' as size from unnest($1::integer[]) a (id)
   cross join lateral (select area_name, area_name_ar from orders where area_id = a.id
     order by created_at desc nulls last limit 1) o`,
)
const goneProductsSql = statement(
  'dashboard-gone-products',
  `select p.id, i.name, i.name_ar, i.size from unnest($1::integer[]) p (id)
   cross join lateral (select name, name_ar, size from order_items where product_id = p.id limit 1) i`,
)

const empty = { name: '', nameAr: null, size: '' }

/** Names by id: from the cache, for deleted rows from the orders. */
async function namesOf<Known extends { name: string; nameAr: string | null }>(
  { db }: Ctx,
  ids: readonly number[],
  known: ReadonlyMap<number, Known>,
  goneSql: typeof goneAreasSql,
) {
  const gone = ids.filter((id) => !known.has(id))
  const rows = gone.length > 0 ? await run<Named>(db, goneSql, [gone]) : []
  const found = new Map(rows.map(({ id, name, name_ar, size }) => [id, { name: name ?? '', nameAr: name_ar, size }]))
  return (id: number) => {
    const { name, nameAr, ...more } = known.get(id) ?? found.get(id) ?? empty
    return { name, nameAr, size: 'size' in more && typeof more.size === 'string' ? more.size : '' }
  }
}

export async function nameAreas(
  ctx: Ctx,
  { areas }: Catalogue,
  rows: readonly Counted[],
): Promise<Dashboard['byArea']> {
  const ids = rows.flatMap(({ key }) => (key === '' ? [] : [Number(key)]))
  const named = await namesOf(ctx, ids, areas, goneAreasSql)
  return rows.map(({ key, orders, amount }) => {
    const areaId = key === '' ? null : Number(key)
    const { name, nameAr } = areaId === null ? empty : named(areaId)
    return { areaId, name, nameAr, orders, revenue: toBhd(fils(amount)) }
  })
}

export async function nameProducts(
  ctx: Ctx,
  { products }: Catalogue,
  rows: readonly Counted[],
): Promise<Dashboard['byProduct']> {
  const named = await namesOf(
    ctx,
    rows.map(({ key }) => Number(key)),
    products,
    goneProductsSql,
  )
  return rows.map(({ key, orders, amount }) => ({
    productId: Number(key),
    ...named(Number(key)),
    orders,
    quantity: amount,
  }))
}
