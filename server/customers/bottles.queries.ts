import type { exportBottles, HeldBottles, listBottles } from '@qatra/contract/bottles-admin'
import { idleDays, manyBottles } from '@qatra/contract/bottles-admin'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { fils, toBhd } from '@qatra/contract/lib/money'
import { fold, includesFolded } from '@qatra/contract/lib/text'
import { and, eq, gt, gte, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { areas } from '../areas/tables.ts'
import { bottleTypes, bottleBalances as held } from '../bottles/tables.ts'
import type { Ctx } from '../database/context.ts'
import { dayOfCell, moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { readVans } from '../orders/run/van.queries.ts'
import { matching, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { customerNameFor, hasNameKnownTo } from './policy.ts'
import { customerTotals } from './tables.ts'

export type BottleFilters = Omit<Parsed<typeof exportBottles>['query'], 'lang'>

const isHeld = gt(held.count, 0)
const isUnsecured = and(isHeld, lte(held.deposit, 0))
/** The instant is computed once: PostgreSQL would do so for each row. */
const isIdle = ({ now }: Ctx, days: number) =>
  and(isHeld, or(isNull(held.orderedAt), lt(held.orderedAt, new Date(now.getTime() - days * 86_400_000))))

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

/** All addresses of the customer count, for the type or for all. */
const isMany = (minCount: number, typeId?: number) =>
  typeId === undefined
    ? gte(held.held, minCount)
    : sql`(${held.vendorId}, ${held.customerId}) in (select b.vendor_id, b.customer_id from bottle_balances b
        where b.bottle_type_id = ${typeId} group by b.vendor_id, b.customer_id having sum(b.count) >= ${minCount})`

function matches(ctx: Ctx, filters: BottleFilters, areaIds: readonly number[]) {
  const { typeId, minCount, idleDays: days, unsecured } = filters
  return and(
    whose(ctx, filters, areaIds),
    unsecured && isUnsecured,
    days === undefined ? undefined : isIdle(ctx, days),
    minCount === undefined ? undefined : isMany(minCount, typeId),
  )
}

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
      lastOrderAt: held.orderedAt,
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
    .where(matches(ctx, filters, areaIds))
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

const sums = {
  total: sql<number>`count(*)::integer`,
  bottles: sql<number>`coalesce(sum(${held.count}), 0)::integer`,
  deposits: sql<number>`coalesce(sum(${held.deposit}::float8), 0)`,
}

/** Of the rows of a filter, without reading customer by customer where it does not ask for them. */
async function readSums(ctx: Ctx, filters: BottleFilters, areaIds: readonly number[]) {
  const all = ctx.db.select(sums).from(held).$dynamic()
  const named = filters.search
    ? all.leftJoin(customerTotals, ofVendor).innerJoin(users, eq(users.id, held.customerId))
    : all
  const [row] = await named.where(matches(ctx, filters, areaIds))
  if (!row) throw new Error('Sums are one row')
  return row
}

const rowsIf = (is: SQL | undefined) => sql<number>`count(*) filter (where ${is})::integer`
const bottlesIf = (is: SQL | undefined) => sql<number>`coalesce(sum(${held.count}) filter (where ${is}), 0)::integer`

/** Of the vendor and the type: reads every row, so a page asks for them apart. */
async function readFigures(ctx: Ctx, { vendorId, typeId }: Pick<BottleFilters, 'vendorId' | 'typeId'>) {
  const [row] = await ctx.db
    .select({
      ...sums,
      customers: sql<number>`count(distinct ${held.customerId})::integer`,
      idleBottles: bottlesIf(isIdle(ctx, idleDays)),
      unsecuredBottles: bottlesIf(isUnsecured),
      many: rowsIf(isMany(manyBottles, typeId)),
      idle: rowsIf(isIdle(ctx, idleDays)),
      unsecured: rowsIf(isUnsecured),
    })
    .from(held)
    .where(chosen(ctx, { vendorId, typeId }))
  if (!row) throw new Error('Figures are one row')
  const { total: all, deposits, many, idle, unsecured, ...figures } = row
  return {
    ...figures,
    deposits: bhd(deposits),
    onVans: await readOnVans(ctx, { vendorId, typeId }),
    rows: { all, many, idle, unsecured },
  }
}

/** Bottles on the vendor's vans today; null of all vendors. */
async function readOnVans(ctx: Ctx, { vendorId, typeId }: Pick<BottleFilters, 'vendorId' | 'typeId'>) {
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
