import type { exportBottles, HeldBottles, listBottleEntries, listBottles } from '@qatra/contract/bottles-admin'
import { idleDays, manyBottles } from '@qatra/contract/bottles-admin'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { type Fils, fils, toBhd } from '@qatra/contract/lib/money'
import { and, eq, gte, ne, type SQL, sql } from 'drizzle-orm'
import { bottleTypes, bottleBalances as held } from '../bottles/tables.ts'
import { type Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { dayOfCell, moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { matching, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { managesVendor, vendorInReach } from '../vendors/policy.ts'
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

function filtered(ctx: Ctx, { customerId, minCount, idleDays: days, unsecured, search, ...of }: BottleFilters) {
  const vendor = vendorInReach(ctx.actor)
  const isNumber = /^\d*$/.test(searchedFor(search ?? ''))
  return and(
    chosen(ctx, of),
    customerId === undefined ? undefined : eq(held.customerId, customerId),
    minCount === undefined ? undefined : gte(held.count, minCount),
    days === undefined ? undefined : and(isHeld, isIdle(days)),
    unsecured === undefined ? undefined : and(isHeld, isUnsecured),
    matching(search),
    vendor === null || isNumber ? undefined : hasNameKnownTo(person, vendor),
  )
}

const ofVendor = and(eq(customerTotals.userId, held.customerId), eq(customerTotals.vendorId, held.vendorId))
const own = (column: SQL) => sql`${column} where o.user_id = ${held.customerId} and o.vendor_id = ${held.vendorId}`
const newest = sql`order by o.created_at desc limit 1`

const rowsOf = (ctx: Ctx, filters: BottleFilters) =>
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
    .where(filtered(ctx, filters))
    .orderBy(sql`${held.count} desc nulls last, ${held.id}`)

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

const instantOf = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString())
const creditOf = ({ deposit, count }: { deposit: number; count: number }, each: number) =>
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

const bhd = (sum: number) => toBhd(fils(sum))

function readSums(ctx: Ctx, where: SQL | undefined, hasSearch: boolean) {
  const isLate = sql`${isHeld} and ${isIdle(idleDays)}`
  const isFree = sql`${isHeld} and ${isUnsecured}`
  const bottlesOf = (which: SQL) => sql<number>`coalesce(sum(${held.count}) filter (where ${which}), 0)::integer`
  const rowsWith = (which: SQL) => sql<number>`count(*) filter (where ${which})::integer`
  const sums = ctx.db
    .select({
      total: sql<number>`count(*)::integer`,
      customers: sql<number>`count(distinct ${held.customerId})::integer`,
      bottles: bottlesOf(sql`true`),
      deposits: sql<number>`coalesce(sum(${held.deposit}), 0)::float8`,
      many: rowsWith(sql`${held.count} >= ${manyBottles}`),
      idle: rowsWith(isLate),
      idleBottles: bottlesOf(isLate),
      unsecured: rowsWith(isFree),
      unsecuredBottles: bottlesOf(isFree),
    })
    .from(held)
    .leftJoin(customerTotals, ofVendor)
    .where(where)
    .$dynamic()
  return hasSearch ? sums.innerJoin(users, eq(users.id, held.customerId)) : sums
}

type Sums = Awaited<ReturnType<typeof readSums>>[number]

const SUMS_MS = 30_000
const MOST_SUMS = 200

/**
 * Sums of filters for half a minute, since they read all rows of a vendor: 0.1 s for 50,000 customers, where a page of the
 * list takes 5 ms. An entry of this process ends them.
 */
export function createBottleSums() {
  const known = new Map<string, { until: number; sums: Sums }>()
  return {
    async of(ctx: Ctx, filters: BottleFilters): Promise<Sums> {
      const key = JSON.stringify([vendorInReach(ctx.actor), Object.entries(filters).sort()])
      const found = known.get(key)
      if (found && found.until > ctx.now.getTime()) return found.sums
      const [sums] = await readSums(ctx, filtered(ctx, filters), Boolean(filters.search))
      if (!sums) throw new Error('Sums are one row')
      if (known.size >= MOST_SUMS) known.clear()
      known.set(key, { until: ctx.now.getTime() + SUMS_MS, sums })
      return sums
    },
    clear: () => known.clear(),
  }
}
export type BottleSums = ReturnType<typeof createBottleSums>

export async function listHeldBottles(
  ctx: Ctx,
  sums: BottleSums,
  { page, limit, ...filters }: Parsed<typeof listBottles>['query'],
): Promise<Output<typeof listBottles>> {
  const { vendorId, typeId } = filters
  const rows = await rowsOf(ctx, filters)
    .limit(limit)
    .offset((page - 1) * limit)
  const here = await sums.of(ctx, filters)
  const all = await sums.of(ctx, { vendorId, typeId })
  const shown = ({ bottles, customers, deposits }: Sums) => ({ bottles, customers, deposits: bhd(deposits) })
  const { idleBottles, unsecuredBottles, total, many, idle, unsecured } = all
  return {
    items: rows.map(describe),
    page,
    limit,
    total: here.total,
    sums: shown(here),
    figures: { ...shown(all), idleBottles, unsecuredBottles, rows: { all: total, many, idle, unsecured } },
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
  return tableOf({
    lang,
    rows: (await rowsOf(ctx, filters).limit(MAX_EXPORTED)).map(describe),
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

/** @throws BOTTLE_TYPE_NOT_FOUND, CUSTOMER_NOT_FOUND if the customer is not the vendor's */
export async function requireHolder(
  ctx: Ctx,
  { typeId, customerId }: { typeId: number; customerId: number },
): Promise<{ vendorId: number; deposit: Fils }> {
  const [type] = await ctx.db
    .select({ vendorId: bottleTypes.vendorId, deposit: sql<Fils>`${bottleTypes.deposit}`.mapWith(Number) })
    .from(bottleTypes)
    .where(eq(bottleTypes.id, typeId))
  if (!type || !managesVendor(ctx.actor, type.vendorId)) throw new AppError('BOTTLE_TYPE_NOT_FOUND')
  const [known] = await run<{ isKnown: boolean }>(ctx.db, holderSql, [customerId, type.vendorId])
  if (!known?.isKnown) throw new AppError('CUSTOMER_NOT_FOUND')
  return { ...type, deposit: fils(type.deposit) }
}

const holderSql = statement(
  'bottle-holder',
  `select exists (select from customer_totals where user_id = $1 and vendor_id = $2)
     or exists (select from bottle_balances where customer_id = $1 and vendor_id = $2) as "isKnown"`,
)

const movementsSql = statement(
  'bottle-movements',
  `select e.id, e.kind, e.amount::int as count, coalesce(e.due, 0)::float8 as deposit, coalesce(e.vat, 0)::float8 as vat,
     (sum(e.amount) over (order by e.id))::int as after, e.day::text as day, e.order_id as "orderId", e.notes as reason,
     u.name as by
   from ledger_entries e left join users u on u.id = e.created_by
   where e.ledger = 'bottles' and e.vendor_id = $1 and e.holder_id = $2 and e.bottle_type_id = $3 order by e.id desc limit 50`,
)
const balanceSql = statement(
  'bottle-balance',
  `select coalesce(sum(count), 0)::int as count, coalesce(sum(deposit), 0)::float8 as deposit from bottle_balances
   where vendor_id = $1 and customer_id = $2 and bottle_type_id = $3`,
)

/** @throws BOTTLE_TYPE_NOT_FOUND, CUSTOMER_NOT_FOUND */
export async function readMovements(
  ctx: Ctx,
  about: { customerId: number; typeId: number },
): Promise<Output<typeof listBottleEntries>> {
  const { vendorId, deposit: each } = await requireHolder(ctx, about)
  const keys = [vendorId, about.customerId, about.typeId]
  const [balance] = await run<{ count: number; deposit: number }>(ctx.db, balanceSql, keys)
  const items = await run<Output<typeof listBottleEntries>['items'][number]>(ctx.db, movementsSql, keys)
  const { count = 0, deposit = 0 } = balance ?? {}
  return {
    balance: { count, depositHeld: bhd(deposit), credit: creditOf({ count, deposit }, each) },
    items: items.map((item) => ({ ...item, deposit: bhd(item.deposit), vat: bhd(item.vat) })),
  }
}
