import type { BottleTerms, FreeBottles } from '@qatra/contract/bottles'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { MyBottles } from '@qatra/contract/my-bottles'
import { openStatuses } from '@qatra/contract/orders/order-status'
import type { BottleType } from '@qatra/contract/products/bottle-types'
import { and, eq, SQL, StringChunk, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { vendorBusiness } from '../vendors/tables.ts'
import { bottleTypes } from './tables.ts'

/** The bottle of a product while its vendor exchanges bottles and the type is in use. */
export interface OfferedBottle {
  typeId: number
  terms: BottleTerms
  name: string
  nameAr: string | null
  /** For one bottle that comes back; 0 if the price includes it. */
  deposit: Fils
}

/** An `OfferedBottle` as JSON, or null: of the row `product` of products, whether it is read into memory or in a statement. */
export const offeredBottleSql = (product: string) =>
  `(select json_build_object('typeId', t.id, 'terms', ${product}.bottle_terms, 'name', t.name, 'nameAr', t.name_ar,
     'deposit', case ${product}.bottle_terms when 'exchange' then t.deposit else 0 end)
    from bottle_types t join vendor_business b on b.vendor_id = t.vendor_id and b.bottles
    where t.id = ${product}.bottle_type_id and t.is_active)`

export const offeredBottle = new SQL<OfferedBottle | null>([new StringChunk(offeredBottleSql('products'))])

/** Of a vendor, or of all; or the one with this id. */
export async function listBottleTypes(
  { db }: Pick<Ctx, 'db'>,
  vendorId: number | null,
  id: number | null = null,
): Promise<BottleType[]> {
  const { name, nameAr, deposit, isActive, version } = bottleTypes
  const rows = await db
    .select({
      id: bottleTypes.id,
      vendorId: bottleTypes.vendorId,
      name,
      nameAr,
      deposit,
      isActive,
      version,
      isOffered: sql<boolean>`${isActive} and coalesce(${vendorBusiness.bottles}, false)`,
      productCount: sql<number>`(select count(*)::int from products p where p.bottle_type_id = ${bottleTypes.id} and p.deleted_at is null)`,
    })
    .from(bottleTypes)
    .leftJoin(vendorBusiness, eq(vendorBusiness.vendorId, bottleTypes.vendorId))
    .where(
      and(
        vendorId === null ? undefined : eq(bottleTypes.vendorId, vendorId),
        id === null ? undefined : eq(bottleTypes.id, id),
      ),
    )
    .orderBy(bottleTypes.vendorId, bottleTypes.id)
  return rows.map((row) => ({ ...row, deposit: toBhd(row.deposit as Fils) })) // stored in fils
}

const open = openStatuses.map((status) => `'${status}'`).join()

/** Counts of `FreeBottles` as JSON. @param customer SQL of the id, which may be null @param vendor SQL of the id, null: of all */
export const freeBottlesSql = (customer: string, vendor = 'vendor_id') =>
  `(select coalesce(json_object_agg(held.type_id, held.count - coalesce(promised.count, 0)), '{}')
    from (select bottle_type_id as type_id, sum(count) as count from bottle_balances
      where customer_id = ${customer} and vendor_id = coalesce(${vendor}, vendor_id) group by bottle_type_id having sum(count) > 0) held
    left join lateral (select sum(i.empties) as count from orders o join order_items i on i.order_id = o.id
      where o.user_id = ${customer} and o.status in (${open})
        and i.bottle_type_id = held.type_id) promised on true)`

/** Null without a bottle that comes back. */
export const depositOf = (bottle: Pick<OfferedBottle, 'terms' | 'deposit'> | null): Fils | null =>
  bottle?.terms === 'exchange' ? bottle.deposit : null

const freeSql = statement(
  'bottles-free',
  `select ${freeBottlesSql('(select id from users where phone = $1)', '$2::integer')} as free`,
)

/** None without an account of the phone. @param vendorId null: of all vendors */
export async function readFreeBottles(
  { db }: Pick<Ctx, 'db'>,
  phone: string,
  vendorId: number | null = null,
): Promise<FreeBottles> {
  const [row] = await run<{ free: FreeBottles }>(db, freeSql, [phone, vendorId])
  return row?.free ?? {}
}

const heldSql = statement(
  'bottles-held',
  `select c.id as "customerId", t.id as "typeId", t.name, t.name_ar as "nameAr", t.deposit,
     t.is_active as "isActive", coalesce(sum(b.count), 0)::int as held, coalesce(sum(b.deposit), 0)::float8 as "depositHeld"
   from bottle_types t cross join unnest($2::integer[]) c (id)
   left join bottle_balances b on b.vendor_id = t.vendor_id and b.bottle_type_id = t.id and b.customer_id = c.id
   where t.vendor_id = $1 group by c.id, t.id order by t.id`,
)

/** All types of the vendor with what each of these customers has at all addresses. */
export const readHeld = ({ db }: Pick<Ctx, 'db'>, vendorId: number, customerIds: readonly number[]) =>
  run<HeldType>(db, heldSql, [vendorId, customerIds])

export interface HeldType {
  customerId: number
  typeId: number
  name: string
  nameAr: string | null
  deposit: Fils
  isActive: boolean
  held: number
  depositHeld: Fils
}

const day = `(now() at time zone 'Asia/Bahrain')::date`
const since = `${day}::timestamp at time zone 'Asia/Bahrain'`
/** Whether the driver of a visit `v` of this day, or a late one, has left: with orders, or after an earlier stop. */
export const onTheWayTo = `(v.driver_id is not null and v.day <= ${day} and (
    exists (select from orders o where o.assigned_driver_id = v.driver_id and o.vendor_id = v.vendor_id
      and o.created_at > now() - interval '60 days'
      and (o.status = 'shipped' or o.status = 'delivered' and o.delivered_at >= ${since}))
    or exists (select from visits w where w.driver_id = v.driver_id and w.vendor_id = v.vendor_id
      and w.status in ('done', 'failed') and w.happened_at >= ${since})))`

const ownSql = statement(
  'bottles-own',
  `select t.vendor_id as "vendorId", t.id as "typeId", t.name, t.name_ar as "nameAr", held.count, held.deposit,
     (select json_build_object('id', v.id, 'date', v.day, 'address', v.address, 'bottles', v.bottles, 'canCancel', not ${onTheWayTo})
        from visits v where v.vendor_id = t.vendor_id and v.customer_id = $1
        and v.kind = 'collect-bottles' and v.status = 'open' order by v.id limit 1) as visit,
     (select coalesce(json_agg(m), '[]') from (
        select e.id, e.kind, e.amount as count, e.order_id as "orderId", e.happened_at as at from ledger_entries e
        where e.ledger = 'bottles' and e.vendor_id = t.vendor_id and e.holder_id = $1 and e.bottle_type_id = t.id
        order by e.id desc limit 20) m) as moves
   from (select bottle_type_id, sum(count)::integer as count, sum(deposit)::bigint as deposit from bottle_balances
     where customer_id = $1 group by bottle_type_id) held
   join bottle_types t on t.id = held.bottle_type_id
   join vendor_business b on b.vendor_id = t.vendor_id and b.bottles
   order by t.vendor_id, t.id`,
)

/** Of vendors that exchange bottles. */
export async function listOwnBottles(ctx: Ctx): Promise<MyBottles[]> {
  type Row = Omit<MyBottles, 'depositHeld'> & { deposit: Fils }
  const rows = await run<Row>(ctx.db, ownSql, [userOf(ctx).id])
  return rows.map(({ deposit, moves, ...row }) => ({
    ...row,
    depositHeld: toBhd(deposit),
    moves: moves.map((move) => ({ ...move, at: new Date(move.at).toISOString() })),
  }))
}
