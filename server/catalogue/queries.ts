import type { Fils } from '@qatra/contract/lib/money'
import { pictureProblems } from '@qatra/contract/media'
import { getTableColumns, isNull, ne } from 'drizzle-orm'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { areas } from '../areas/tables.ts'
import type { BlockSnapshot } from '../blocks/snapshot.ts'
import { blocks } from '../blocks/tables.ts'
import { offeredBottle } from '../bottles/queries.ts'
import { holidays } from '../calendar/tables.ts'
import { type Db, run, statement } from '../database/db.ts'
import { allInOrder } from '../database/transaction.ts'
import { remotePictures } from '../media/tables.ts'
import type { ProductSnapshot } from '../products/snapshot.ts'
import { products } from '../products/tables.ts'
import { settings } from '../site/tables.ts'
import type { VendorSnapshot } from '../vendors/snapshot.ts'
import { vendorDeliveryAreas, vendors } from '../vendors/tables.ts'

/**
 * Reference data that every request reads from memory: vendors, products, areas, blocks and closed days. Amounts are in fils.
 */
export interface Catalogue extends AreaSnapshot, BlockSnapshot, ProductSnapshot, VendorSnapshot {
  settings: ReadonlyMap<string, string>
}

const byId = <Row extends { id: number }>(rows: Row[]): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [row.id, row]))

function grouped<T>(pairs: readonly (readonly [key: number, value: T])[]): ReadonlyMap<number, ReadonlySet<T>> {
  const groups = new Map<number, Set<T>>()
  for (const [key, value] of pairs) {
    const group = groups.get(key)
    if (group) group.add(value)
    else groups.set(key, new Set([value]))
  }
  return groups
}

/** One snapshot on one connection: rows and their links match. */
const readRows = (db: Db) =>
  db.transaction(
    (tx) =>
      allInOrder([
        tx.select().from(vendors).orderBy(vendors.id),
        tx.select().from(vendorDeliveryAreas),
        tx
          .select({ ...getTableColumns(products), bottle: offeredBottle })
          .from(products)
          .where(isNull(products.deletedAt))
          .orderBy(products.id),
        tx.select().from(areas).orderBy(areas.id),
        tx
          .select({ number: blocks.number, areaId: blocks.areaId, lat: blocks.centreLat, lng: blocks.centreLng })
          .from(blocks)
          .orderBy(blocks.number),
        tx
          .select({ day: holidays.day, vendorId: holidays.vendorId, name: holidays.name, nameAr: holidays.nameAr })
          .from(holidays),
        tx.select().from(settings),
        tx.select().from(remotePictures).where(ne(remotePictures.status, 'fetched')),
      ]),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/** At most 20,000 orders of 30 days; a product that fewer than 10 orders have, or as many as another, is no vendor's most ordered. */
const mostOrderedSql = statement(
  'most-ordered',
  `select product_id as id from (
     select i.product_id, count(distinct o.id) as orders,
       row_number() over by_count as place, lead(count(distinct o.id)) over by_count as next
     from (
       select id, vendor_id from orders
       where created_at > now() - interval '30 days' and status <> 'cancelled'
       order by created_at desc nulls last limit 20000
     ) o join order_items i on i.order_id = o.id
     where i.product_id is not null
     group by o.vendor_id, i.product_id
     window by_count as (partition by o.vendor_id order by count(distinct o.id) desc)
   ) counted
   where place = 1 and orders >= 10 and orders > coalesce(next, 0)`,
)
const MOST_ORDERED_MS = 3_600_000

export const readMostOrdered = async (db: Db): Promise<ReadonlySet<number>> =>
  new Set((await run<{ id: number }>(db, mostOrderedSql)).map(({ id }) => id))

/** The catalogue is read every minute and after each change; what most orders have is counted once an hour, once there is any. */
const counted = new WeakMap<Db, { at: number; ids: ReadonlySet<number> }>()

async function mostOrderedOf(db: Db) {
  const known = counted.get(db)
  if (known && performance.now() - known.at < MOST_ORDERED_MS) return known.ids
  const ids = await readMostOrdered(db)
  if (ids.size > 0) counted.set(db, { at: performance.now(), ids })
  return ids
}

export async function readCatalogue(db: Db): Promise<Catalogue> {
  const mostOrdered = await mostOrderedOf(db)
  const [vendorRows, linkRows, productRows, areaRows, blockRows, holidayRows, settingRows, pictureRows] =
    await readRows(db)
  const areasOf = grouped(linkRows.map((link) => [link.vendorId, link.areaId] as const))
  const closuresOf = grouped(
    holidayRows.flatMap(({ day, vendorId }) => (vendorId === null ? [] : [[vendorId, day] as const])),
  )
  return {
    // money columns hold fils
    vendors: byId(
      vendorRows.map((row) => ({
        ...row,
        deliveryFee: row.deliveryFee as Fils,
        minDeliveryAmount: row.minDeliveryAmount as Fils,
        areaIds: areasOf.get(row.id) ?? new Set<number>(),
        closures: closuresOf.get(row.id) ?? new Set<string>(),
      })),
    ),
    mostOrdered,
    products: byId(productRows.map((row) => ({ ...row, price: row.price as Fils }))),
    areas: byId(areaRows.map((row) => ({ ...row, centre: { lat: row.centreLat, lng: row.centreLng } }))),
    blocks: new Map(
      blockRows.map(({ number, areaId, lat, lng }) => [number, { number, areaId, centre: { lat, lng } }]),
    ),
    holidays: new Map(
      holidayRows.flatMap(({ day, vendorId, name, nameAr }) => (vendorId === null ? [[day, { name, nameAr }]] : [])),
    ),
    settings: new Map(settingRows.map((row) => [row.key, row.value])),
    pictures: new Map(
      pictureRows.map(({ url, status, problem }) => [
        url,
        {
          state: status === 'failed' ? 'failed' : 'waiting',
          problem: pictureProblems.find((one) => one === problem) ?? null,
        },
      ]),
    ),
  }
}
