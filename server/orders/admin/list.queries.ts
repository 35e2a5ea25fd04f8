import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { addFils, type Fils, fils, toBhd } from '@qatra/contract/lib/money'
import type { countOrders as count, listOrders as list } from '@qatra/contract/orders/admin'
import { orderStatuses } from '@qatra/contract/orders/order-status'

import { and, gt, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'

import { vendorInReach } from '../../vendors/policy.ts'
import { isAnyProcessing } from '../../vendors/queries.ts'
import { orders } from '../tables.ts'
import { dueRank, isShortRange, matching, type ResolvedFilters, resolved } from './filters.queries.ts'
import { readAdminOrders } from './queries.ts'

/** Counting a million orders would cost more than listing them. */
export const MAX_COUNTED = 1_000
/** In a short range all orders are counted, as on the dashboard, up to this number. */
const MAX_IN_DAYS = 100_000
/** Search matches are checked one by one. */
const MAX_FOUND = 300
/** Limit of `arrivedIds`. */
const MAX_IDS = 100
/** Sorting by anything but time covers only the newest orders. */
const MAX_SORTED = 2_000

type Query = Parsed<typeof list>['query']

export async function listOrders(ctx: Ctx, { page, limit, sort, ...given }: Query): Promise<Output<typeof list>> {
  const filters = await resolved(ctx, given)
  const where = matching(ctx, filters)
  const slice = { sort, limit, offset: (page - 1) * limit }
  const isCountedAlong = Boolean(filters.search) && sort === '-createdAt' && page * limit <= MAX_FOUND
  const [ids, counted] = isCountedAlong
    ? await findCounted(ctx, where, slice)
    : await Promise.all([findIds(ctx, where, slice), countWithSum(ctx, where, filters)])
  const isExact = counted.n < countLimit(filters)
  const isByTime = sort.endsWith('createdAt')
  return {
    items: await readAdminOrders(ctx, ids),
    page,
    limit,
    total: counted.n,
    totalIsExact: isExact,
    sum: isExact ? toBhd(counted.sum) : null,
    sortedAmong: isByTime || isExact ? null : MAX_SORTED,
    day: filters.day ?? null,
    now: ctx.now.toISOString(),
  }
}

const newestFirst = sql`${orders.createdAt} desc nulls last, ${orders.id} desc`
const oldestFirst = sql`${orders.createdAt} asc nulls first, ${orders.id} asc`

interface Slice {
  sort: Query['sort']
  limit: number
  offset: number
}

/** Runs the search once for both the page and the count. */
async function findCounted({ db }: Ctx, where: SQL, { limit, offset }: Slice): Promise<[string[], Counted]> {
  const { rows } = await db.execute<{ id: string; total: string }>(
    sql`select id, total from orders where ${where} order by ${newestFirst} limit ${MAX_FOUND}`,
  )
  const ids = rows.slice(offset, offset + limit).map(({ id }) => id)
  return [ids, { n: rows.length, sum: addFils(...rows.map(({ total }) => fils(Number(total)))) }]
}

/** Ids of one page, in its order. */
async function findIds({ db, actor, now }: Ctx, where: SQL, { sort, limit, offset }: Slice): Promise<string[]> {
  const isDown = sort.startsWith('-')
  const name = sort.replace('-', '')
  const slice = sql`limit ${limit} offset ${offset}`
  const direction = isDown ? sql`desc` : sql`asc`
  const areaName = actor.lang === 'ar' ? sql`coalesce(area_name_ar, area_name)` : sql`area_name`
  if (sort === 'due') return findDue({ db, now }, where, { areaName, slice })
  const key = { total: sql`total`, customer: sql`search_text`, area: areaName }[name]
  const statement = key
    ? sql`select id from (select id, created_at, total, search_text, area_name, area_name_ar from orders
        where ${where} order by ${newestFirst} limit ${MAX_SORTED}) newest
        order by ${key} ${direction} nulls last, created_at desc, id desc ${slice}`
    : sql`select id from orders where ${where} order by ${isDown ? newestFirst : oldestFirst} ${slice}`
  const { rows } = await db.execute<{ id: string }>(statement)
  return rows.map(({ id }) => id)
}

async function findDue(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  where: SQL,
  { areaName, slice }: { areaName: SQL; slice: SQL },
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from (select id, created_at, area_name, area_name_ar, ${dueRank(bahrainDate(now))} as rank from orders
        where ${where} order by ${newestFirst} limit ${MAX_SORTED}) newest
        order by rank, ${areaName} nulls last, created_at, id ${slice}`,
  )
  return rows.map(({ id }) => id)
}

function countLimit(filters: ResolvedFilters): number {
  if (filters.search) return MAX_FOUND
  return isShortRange(filters) ? MAX_IN_DAYS : MAX_COUNTED
}

/** In the list's order: with a limit the planner then stops early. */
const inOrder = sql`order by created_at desc nulls last`

interface Counted {
  n: number
  sum: Fils
}

async function countWithSum({ db }: Ctx, where: SQL, filters: ResolvedFilters): Promise<Counted> {
  const { rows } = await db.execute<Counted & Record<string, unknown>>(
    sql`select count(*)::integer as n, coalesce(sum(total), 0)::bigint as sum
        from (select total from orders where ${where} ${inOrder} limit ${countLimit(filters)}) picked`,
  )
  const [row] = rows
  if (!row) throw new Error('An aggregate answers one row')
  return row
}

type CountQuery = Parsed<typeof count>['query']

/** For the tabs: each number is exact up to `most`. */
export async function countOrders(ctx: Ctx, { since, ...given }: CountQuery): Promise<Output<typeof count>> {
  const filters = await resolved(ctx, given)
  const where = matching(ctx, filters)
  const isNew = since ? (and(where, gt(orders.createdAt, new Date(since))) ?? where) : null
  const [byStatus, arrived, arrivedIds, chips, processing] = await Promise.all([
    filters.search ? countFound(ctx, where) : countEach(ctx, filters),
    isNew ? countWithSum(ctx, isNew, filters) : null,
    isNew ? findIds(ctx, isNew, { sort: '-createdAt', limit: MAX_IDS, offset: 0 }) : [],
    countChips(ctx, filters),
    isAnyProcessing(ctx, vendorInReach(ctx.actor, filters.vendorId)),
  ])
  const known = new Map(byStatus.map(({ status, n }) => [status, n]))
  const counts = Object.fromEntries(orderStatuses.map((status) => [status, known.get(status) ?? 0]))
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return {
    counts: counts as Output<typeof count>['counts'], // built from the same statuses
    processing,
    all: Math.min(all, countLimit(filters)),
    most: countLimit(filters),
    arrived: arrived?.n ?? 0,
    arrivedIds,
    today: bahrainDate(ctx.now),
    chips,
    now: ctx.now.toISOString(),
  }
}

async function countChips(ctx: Ctx, { vendorId, day }: ResolvedFilters): Promise<Output<typeof count>['chips']> {
  const today = bahrainDate(ctx.now)
  const of = (filters: Partial<ResolvedFilters>): ResolvedFilters => ({ vendorId, by: 'created', ...filters })
  const [now = 0, tomorrow = 0, late = 0, failed = 0, unassigned = 0, chosen = 0] = await countListed(ctx, [
    of({ day: today }),
    of({ day: addDays(today, 1) }),
    of({ attention: 'late', day: day && day > today ? today : day }),
    of({ attention: 'failed', day }),
    of({ attention: 'unassigned', day }),
    ...(day ? [of({ day })] : []),
  ])
  return { today: now, tomorrow, day: chosen, late, failed, unassigned }
}

interface StatusCount {
  status: string
  n: number
}

/** Counts each status by its own index: new orders are few among a million delivered ones. */
async function countEach(ctx: Ctx, filters: ResolvedFilters): Promise<StatusCount[]> {
  const parts = orderStatuses.map(
    (status) => sql`select ${status}::text as status, count(*)::integer as n
      from (select from orders where ${matching(ctx, { ...filters, status: [status] })} ${inOrder}
        limit ${countLimit(filters)}) picked`,
  )
  const { rows } = await ctx.db.execute<StatusCount & Record<string, unknown>>(sql.join(parts, sql` union all `))
  return rows
}

/** Number of listed orders for each of these filters, in one statement. */
export async function countListed(ctx: Ctx, questions: readonly ResolvedFilters[]): Promise<number[]> {
  const parts = questions.map(
    (filters, at) => sql`select ${at}::integer as at, count(*)::integer as n
      from (select from orders where ${matching(ctx, filters)} ${inOrder} limit ${countLimit(filters)}) picked`,
  )
  const { rows } = await ctx.db.execute<{ at: number; n: number }>(sql.join(parts, sql` union all `))
  return rows.toSorted((a, b) => a.at - b.at).map(({ n }) => n)
}

/** Runs the search once and groups its result by status. */
async function countFound({ db }: Ctx, where: SQL): Promise<StatusCount[]> {
  const { rows } = await db.execute<StatusCount & Record<string, unknown>>(
    sql`select status, count(*)::integer as n
        from (select status from orders where ${where} ${inOrder} limit ${MAX_FOUND}) picked group by status`,
  )
  return rows
}
