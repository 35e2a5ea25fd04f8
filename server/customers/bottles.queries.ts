import type { exportBottles, HeldBottles, listBottles } from '@qatra/contract/bottles-admin'
import { idleDays, manyBottles } from '@qatra/contract/bottles-admin'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { fils, toBhd } from '@qatra/contract/lib/money'
import { fold, includesFolded } from '@qatra/contract/lib/text'
import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import { areas } from '../areas/tables.ts'
import { bottleTypes, bottleBalances as held } from '../bottles/tables.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { dayOfCell, moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { readVans } from '../orders/run/van.queries.ts'
import { matching, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { customerNameFor, hasNameKnownTo } from './policy.ts'
import { customerTotals } from './tables.ts'

export type BottleFilters = Omit<Parsed<typeof exportBottles>['query'], 'lang'>

const isIdle = (days: number) =>
  sql`(${customerTotals.lastOrderAt} is null or ${customerTotals.lastOrderAt} < now() - ${days}::integer * interval '1 day')`
const isUnsecured = sql`${held.deposit} <= 0`
const isHeld = sql`${held.count} > 0`

const person = { id: users.id, name: users.name, hasOrdered: sql`${customerTotals.ownCount} > 0` }

/** @throws FORBIDDEN for another vendor */
function chosen({ actor }: Ctx, { vendorId, typeId }: Pick<BottleFilters, 'vendorId' | 'typeId'>): SQL | undefined {
  const vendor = vendorInReach(actor, vendorId || null)
  return and(
    vendor === null ? undefined : eq(held.vendorId, vendor),
    typeId === undefined ? undefined : eq(held.bottleTypeId, typeId),
    ne(held.count, 0),
  )
}

/** The address row is one of them, or the customer: all addresses count for `minCount`, and none with fewer than 0 is one. */
const rowOf = ({ idleDays: days, unsecured }: BottleFilters) =>
  and(days === undefined && unsecured === undefined ? undefined : isHeld, unsecured && isUnsecured)

/** Those whose bottles are shown: by name and phone, or by the area of the last order, without one of the import. */
function whose(ctx: Ctx, { customerId, search, ...of }: BottleFilters, areaIds: readonly number[]) {
  const vendor = vendorInReach(ctx.actor)
  const isNumber = /^\d*$/.test(searchedFor(search ?? ''))
  const isNamed = and(matching(search), vendor === null || isNumber ? undefined : hasNameKnownTo(person, vendor))
  return and(
    chosen(ctx, of),
    customerId === undefined ? undefined : eq(held.customerId, customerId),
    areaIds.length === 0 ? isNamed : or(isNamed, sql`${areaOf} = any(${sql.param(areaIds)}::integer[])`),
  )
}

const areaOf = sql`coalesce((select o.area_id from orders o where o.user_id = ${held.customerId}
    and o.vendor_id = ${held.vendorId} order by o.created_at desc limit 1),
  (select r.area_id from customer_import_rows r where r.user_id = ${held.customerId} and r.area_id is not null
    order by r.import_id desc limit 1))`

/** Areas whose name in either language has the text. */
async function areasNamed({ db }: Ctx, text = ''): Promise<number[]> {
  if (fold(text).length < 2) return []
  const rows = await db.select({ id: areas.id, name: areas.name, nameAr: areas.nameAr }).from(areas)
  return rows.flatMap(({ id, ...names }) =>
    Object.values(names).some((one) => includesFolded(one ?? '', text)) ? [id] : [],
  )
}

const ofVendor = and(eq(customerTotals.userId, held.customerId), eq(customerTotals.vendorId, held.vendorId))
const own = (column: SQL) => sql`${column} where o.user_id = ${held.customerId} and o.vendor_id = ${held.vendorId}`
const newest = sql`order by o.created_at desc limit 1`

/** The customer's bottles at the vendor, of the type or of all. */
function isMany(ctx: Ctx, filters: BottleFilters) {
  const [vendor, type] = scopeOf(ctx, filters)
  return sql`(${held.vendorId}, ${held.customerId}) in (select b.vendor_id, b.customer_id from bottle_balances b
    where b.vendor_id = coalesce(${vendor}::integer, b.vendor_id)
      and b.bottle_type_id = coalesce(${type}::integer, b.bottle_type_id)
    group by b.vendor_id, b.customer_id having sum(b.count) >= ${filters.minCount})`
}

const scopeOf = (ctx: Ctx, { vendorId, typeId }: BottleFilters) => [
  vendorInReach(ctx.actor, vendorId || null),
  typeId ?? null,
]

const rowsOf = (ctx: Ctx, filters: BottleFilters, areaIds: readonly number[]) =>
  ctx.db
    .select({
      id: held.id,
      vendorId: held.vendorId,
      customerId: held.customerId,
      name: customerNameFor(person, vendorInReach(ctx.actor)),
      phone: sql<string | null>`case when ${users.erasedAt} is null then ${users.phone} end`,
      typeId: held.bottleTypeId,
      addressId: held.addressId,
      saved: sql<string | null>`(select a.address from addresses a where a.id = ${held.addressId})`,
      last: sql<{
        address: string
        areaName: string | null
        areaNameAr: string | null
      } | null>`(select json_build_object(
        'address', o.address, 'areaName', o.area_name, 'areaNameAr', o.area_name_ar) ${own(sql`from orders o`)} ${newest})`,
      count: held.count,
      deposit: held.deposit,
      typeDeposit: bottleTypes.deposit,
      lastOrderAt: customerTotals.lastOrderAt,
      lastDeliveryAt: sql<Date | null>`(select o.delivered_at ${own(sql`from orders o`)} and o.status = 'delivered' ${newest})`,
      lastContact: sql<
        HeldBottles['lastContact']
      >`(select json_build_object('body', n.body, 'by', w.name, 'at', n.created_at)
        from customer_notes n left join users w on w.id = n.created_by where n.user_id = ${held.customerId}
        and n.vendor_id = ${held.vendorId} and n.removed_at is null order by n.id desc limit 1)`,
    })
    .from(held)
    .innerJoin(users, eq(users.id, held.customerId))
    .innerJoin(bottleTypes, eq(bottleTypes.id, held.bottleTypeId))
    .leftJoin(customerTotals, ofVendor)
    .where(
      and(
        whose(ctx, filters, areaIds),
        rowOf(filters),
        filters.idleDays === undefined ? undefined : isIdle(filters.idleDays),
        filters.minCount === undefined ? undefined : isMany(ctx, filters),
      ),
    )
    .orderBy(sql`${held.count} desc nulls last, ${held.id}`)

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

const instantOf = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString())
export const creditOf = ({ deposit, count }: { deposit: number; count: number }, each: number) =>
  toBhd(fils(deposit - count * each))

function describe({ saved, last, deposit, typeDeposit, lastContact, ...row }: Row): HeldBottles {
  const isLast = saved === null || saved === last?.address
  return {
    ...row,
    address: saved ?? last?.address ?? null,
    areaName: (isLast && last?.areaName) || null,
    areaNameAr: (isLast && last?.areaNameAr) || null,
    depositHeld: toBhd(fils(deposit)),
    credit: creditOf({ deposit, count: row.count }, typeDeposit),
    lastOrderAt: instantOf(row.lastOrderAt),
    lastDeliveryAt: instantOf(row.lastDeliveryAt),
    lastContact: lastContact && { ...lastContact, at: new Date(lastContact.at).toISOString() },
  }
}

export const bhd = (sum: number) => toBhd(fils(sum))

/** Of the rows of a filter, without reading customer by customer where it does not ask for them. */
async function readSums(ctx: Ctx, filters: BottleFilters, areaIds: readonly number[]) {
  const { minCount, idleDays: days, search } = filters
  const all = ctx.db
    .select({
      total: sql<number>`count(*)::integer`,
      bottles: sql<number>`coalesce(sum(${held.count}), 0)::integer`,
      deposits: sql<number>`coalesce(sum(${held.deposit}::float8), 0)`,
    })
    .from(held)
    .$dynamic()
  const joined = search || days !== undefined ? all.leftJoin(customerTotals, ofVendor) : all
  const named = search ? joined.innerJoin(users, eq(users.id, held.customerId)) : joined
  const [sums] = await named.where(
    and(
      whose(ctx, filters, areaIds),
      rowOf(filters),
      days === undefined ? undefined : isIdle(days),
      minCount === undefined ? undefined : isMany(ctx, filters),
    ),
  )
  if (!sums) throw new Error('Sums are one row')
  return sums
}

const figuresSql = statement(
  'bottle-figures',
  `with b as (select * from bottle_balances where vendor_id = coalesce($1::integer, vendor_id)
     and bottle_type_id = coalesce($2::integer, bottle_type_id) and count <> 0),
   by_row as (select count(*) as "all", sum(count) as bottles, sum(deposit::float8) as deposits,
     count(*) filter (where count > 0 and deposit <= 0) as unsecured,
     sum(count) filter (where count > 0 and deposit <= 0) as "unsecuredBottles" from b),
   by_customer as (select count(distinct customer_id) as customers, sum(places) filter (where held >= ${manyBottles}) as many
     from (select vendor_id, customer_id, count(*) as places, sum(count) as held from b group by 1, 2) c),
   silent as (select count(*) as idle, sum(b.count) as "idleBottles" from b
     left join customer_totals t on t.user_id = b.customer_id and t.vendor_id = b.vendor_id
     where b.count > 0 and (t.last_order_at is null or t.last_order_at < now() - interval '${idleDays} days'))
   select to_jsonb(by_row) || to_jsonb(by_customer) || to_jsonb(silent) as found from by_row, by_customer, silent`,
)
type FigureName =
  | 'bottles'
  | 'customers'
  | 'deposits'
  | 'idleBottles'
  | 'unsecuredBottles'
  | 'all'
  | 'many'
  | 'idle'
  | 'unsecured'

/** Of the vendor and the type: reads every row, for 50,000 customers in a tenth of a second, so a page asks for them apart. */
async function readFigures(ctx: Ctx, filters: BottleFilters) {
  const [row] = await run<{ found: Partial<Record<FigureName, number | null>> }>(
    ctx.db,
    figuresSql,
    scopeOf(ctx, filters),
  )
  const of = (name: FigureName) => Number(row?.found[name] ?? 0)
  return {
    bottles: of('bottles'),
    customers: of('customers'),
    deposits: bhd(of('deposits')),
    onVans: await readOnVans(ctx, filters),
    idleBottles: of('idleBottles'),
    unsecuredBottles: of('unsecuredBottles'),
    rows: { all: of('all'), many: of('many'), idle: of('idle'), unsecured: of('unsecured') },
  }
}

/** Bottles on the vendor's vans today; null of all vendors. */
async function readOnVans(ctx: Ctx, { vendorId, typeId }: BottleFilters) {
  const vendor = vendorInReach(ctx.actor, vendorId || null)
  if (vendor === null) return null
  const vans = await readVans(ctx, { vendorId: vendor, day: bahrainDate(ctx.now) })
  const lines = vans.filter((line) => line.typeId !== null && line.typeId === (typeId ?? line.typeId))
  const sum = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((all, line) => all + Math.max(0, of(line)), 0)
  return {
    full: sum(({ counted, left }) => counted?.full ?? left ?? 0),
    empty: sum(({ driverId, counted, empties }) => (driverId === null ? 0 : (counted?.empty ?? empties))),
  }
}

export async function listHeldBottles(
  ctx: Ctx,
  { page, limit, figures, ...filters }: Parsed<typeof listBottles>['query'],
): Promise<Output<typeof listBottles>> {
  const areaIds = await areasNamed(ctx, filters.search)
  const rows = await rowsOf(ctx, filters, areaIds)
    .limit(limit)
    .offset((page - 1) * limit)
  const { total, bottles, deposits } = await readSums(ctx, filters, areaIds)
  return {
    items: rows.map(describe),
    page,
    limit,
    total,
    sums: { bottles, deposits: bhd(deposits) },
    figures: figures ? await readFigures(ctx, filters) : null,
  }
}

const MAX_EXPORTED = 100_000

/** To call the customers: the rows of the page, all of the filter. */
export async function exportHeldBottles(ctx: Ctx, filters: BottleFilters, lang: Lang): Promise<Table> {
  const t = translatorFor(lang)
  const types = await ctx.db
    .select({ id: bottleTypes.id, name: bottleTypes.name, nameAr: bottleTypes.nameAr })
    .from(bottleTypes)
  const nameOf = new Map(types.map(({ id, name, nameAr }) => [id, lang === 'ar' ? (nameAr ?? name) : name]))
  const areaIds = await areasNamed(ctx, filters.search)
  return tableOf({
    lang,
    rows: (await rowsOf(ctx, filters, areaIds).limit(MAX_EXPORTED)).map(describe),
    columns: {
      name: ({ name }) => name,
      // Without the plus, which spreadsheets take for the start of a formula.
      phone: ({ phone }) => phone?.replace(/^\+/, '') ?? null,
      address: ({ address }) => address,
      type: ({ typeId }) => nameOf.get(typeId) ?? null,
      count: ({ count }) => count,
      deposit: ({ depositHeld }) => moneyCell(depositHeld),
      credit: ({ credit }) => moneyCell(credit),
      lastOrder: ({ lastOrderAt }) => dayOfCell(lastOrderAt),
      lastDelivery: ({ lastDeliveryAt }) => dayOfCell(lastDeliveryAt),
      lastContact: ({ lastContact }) => lastContact?.body ?? null,
    },
    titleOf: (column) =>
      t(
        column === 'name' || column === 'phone' || column === 'lastOrder'
          ? `peopleFile.${column}`
          : `peopleFile.bottles.${column}`,
      ),
  })
}
