import { addDays, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fils, toBhd } from '@qatra/contract/lib/money'
import type { Customer, customerSorts, listCustomers, listCustomerTags } from '@qatra/contract/users/customers'
import { MOST_COUNTED } from '@qatra/contract/users/users'
import { and, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { countUpTo, matching, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { listDue, readRhythms } from './due.queries.ts'
import { customerNameFor, hasNameKnownTo, scopeOf } from './policy.ts'
import type { Rhythm } from './rules.ts'
import { customerTags, customerTotals, MARKET } from './tables.ts'

export type Filters = Omit<Parsed<typeof listCustomers>['query'], 'page' | 'limit'>

const hasOrdered = sql`${customerTotals.ownCount} > 0`
const customer = { id: users.id, name: users.name, hasOrdered }

const nameFor = ({ actor }: Pick<Ctx, 'actor'>) => customerNameFor(customer, vendorInReach(actor))

const columnsFor = (ctx: Pick<Ctx, 'actor'>) => ({
  id: users.id,
  phone: users.phone,
  name: nameFor(ctx),
  isVerified: users.isVerified,
  isActive: users.isActive,
  language: users.language,
  marketingConsent: users.marketingConsent,
  consentAt: users.consentAt,
  consentSource: users.consentSource,
  createdAt: users.createdAt,
  orderCount: customerTotals.orderCount,
  cancelledCount: customerTotals.cancelledCount,
  spend: customerTotals.spend,
  lastOrderAt: customerTotals.lastOrderAt,
  tags: customerTags.tags,
  vendorIds:
    vendorInReach(ctx.actor) === null
      ? sql<number[]>`array(select t.vendor_id from customer_totals t
          where t.user_id = ${users.id} and t.vendor_id > ${MARKET} and t.order_count > 0 order by t.order_count desc, 1)`
      : sql<number[]>`'{}'::integer[]`,
})

const MAX_COUNTED_IN_RANGE = 100_000

/** Ordered from the vendor; for the market also customers without an order. */
const isCustomer = (scope: number): SQL | undefined =>
  and(
    eq(customerTotals.vendorId, scope),
    isNull(users.erasedAt),
    scope === MARKET ? sql`(${users.role} = 'customer' or ${customerTotals.orderCount} > 0)` : undefined,
  )

/** Filters by the time of the very first order. */
function firstOrderWithin({ firstFrom, firstTo, firstBefore }: Partial<Filters>): SQL | undefined {
  const { firstOrderAt } = customerTotals
  return and(
    firstFrom === undefined ? undefined : gte(firstOrderAt, startOfBahrainDay(firstFrom)),
    firstTo === undefined ? undefined : lt(firstOrderAt, startOfBahrainDay(addDays(firstTo, 1))),
    firstBefore === undefined ? undefined : lt(firstOrderAt, new Date(firstBefore)),
  )
}

const from = (ctx: Pick<Ctx, 'db' | 'actor'>, scope: number) =>
  ctx.db
    .select(columnsFor(ctx))
    .from(customerTotals)
    .innerJoin(users, eq(users.id, customerTotals.userId))
    .leftJoin(customerTags, and(eq(customerTags.userId, users.id), eq(customerTags.vendorId, scope)))
    .$dynamic()

type Row = Awaited<ReturnType<typeof from>>[number]

export const describe = (row: Row, rhythm: Rhythm | undefined): Customer => ({
  id: row.id,
  phone: row.phone,
  name: row.name,
  isVerified: row.isVerified,
  isActive: row.isActive,
  language: row.language,
  marketingConsent: row.marketingConsent,
  orderCount: row.orderCount,
  cancelledCount: row.cancelledCount,
  spend: toBhd(fils(row.spend)),
  lastOrderAt: row.lastOrderAt?.toISOString() ?? null,
  tags: row.tags ?? [],
  vendorIds: row.vendorIds,
  usualDays: rhythm?.usualDays ?? null,
  dueDate: rhythm?.dueDate ?? null,
  createdAt: row.createdAt.toISOString(),
})

const sortFor = (ctx: Ctx, sort: (typeof customerSorts)[number]): SQL =>
  sort === 'name' && vendorInReach(ctx.actor) !== null
    ? // `searchText` is the folded name, which is slow to compute for each row
      sql`case when ${hasOrdered} and ${users.name} is not null then ${users.searchText}
        else fold_text(${nameFor(ctx)}) end nulls last, ${users.id}`
    : sorts[sort]

const newestFirst = sql`${customerTotals.lastOrderAt} desc nulls last, ${customerTotals.userId}`
const sorts: Record<(typeof customerSorts)[number], SQL> = {
  '-lastOrderAt': newestFirst,
  // Only those who are due have another order: `findDueIds`.
  dueDate: newestFirst,
  '-spend': sql`${customerTotals.spend} desc nulls last, ${customerTotals.userId}`,
  '-orderCount': sql`${customerTotals.orderCount} desc nulls last, ${customerTotals.userId}`,
  '-createdAt': sql`${users.createdAt} desc nulls last, ${users.id} desc nulls last`,
  name: sql`${users.name} is null, ${users.searchText}, ${users.id}`,
}

function matchingAll(
  { actor }: Pick<Ctx, 'actor'>,
  { search, tag, consent, ...first }: Filters,
  scope: number,
): SQL | undefined {
  const vendor = vendorInReach(actor)
  const isNumber = /^\d*$/.test(searchedFor(search ?? ''))
  return and(
    isCustomer(scope),
    firstOrderWithin(first),
    matching(search),
    vendor === null || isNumber ? undefined : hasNameKnownTo(customer, vendor),
    tag === undefined ? undefined : sql`${customerTags.tags} @> array[${tag}]::text[]`,
    consent === undefined ? undefined : eq(users.marketingConsent, consent),
  )
}

const counted = (ctx: Pick<Ctx, 'db' | 'actor'>, scope: number, filters: Filters, most: number) =>
  ctx.db
    .select({ one: sql`1`.as('one') })
    .from(customerTotals)
    .innerJoin(users, eq(users.id, customerTotals.userId))
    .leftJoin(customerTags, and(eq(customerTags.userId, users.id), eq(customerTags.vendorId, scope)))
    .where(matchingAll(ctx, filters, scope))
    .limit(most)
    .getSQL()

/** Customers whose first order is in a named range are counted completely, as on the dashboard. */
const countLimit = ({ firstFrom, firstTo }: Filters) => (firstFrom && firstTo ? MAX_COUNTED_IN_RANGE : MOST_COUNTED)

/** Number of customers for each of these filters, in one statement. @throws FORBIDDEN if a named vendor is out of reach */
export async function countCustomers(ctx: Ctx, questions: readonly Omit<Filters, 'sort'>[]): Promise<number[]> {
  const parts = questions.map((question, at) => {
    const filters = { ...question, sort: '-lastOrderAt' as const }
    const rows = counted(ctx, scopeOf(ctx.actor, filters.vendorId), filters, countLimit(filters))
    return sql`select ${at}::integer as at, count(*)::integer as n from (${rows}) c`
  })
  const { rows } = await ctx.db.execute<{ at: number; n: number }>(sql.join(parts, sql` union all `))
  return rows.toSorted((a, b) => a.at - b.at).map(({ n }) => n)
}

export async function listAllCustomers(
  ctx: Ctx,
  { page, limit, ...filters }: Parsed<typeof listCustomers>['query'],
): Promise<Output<typeof listCustomers>> {
  const scope = scopeOf(ctx.actor, filters.vendorId)
  if (filters.due) {
    const ids = await findDueIds(ctx, scope, filters)
    return { items: await readByIds(ctx, scope, pageOf(ids, page, limit)), page, limit, total: ids.length }
  }
  const [rows, total] = await Promise.all([
    from(ctx, scope)
      .where(matchingAll(ctx, filters, scope))
      .orderBy(sortFor(ctx, filters.sort))
      .limit(limit)
      .offset((page - 1) * limit),
    countUpTo(ctx, counted(ctx, scope, filters, countLimit(filters))),
  ])
  return { items: await described(ctx, scope, rows), page, limit, total }
}

const pageOf = (ids: readonly number[], page: number, limit: number) => ids.slice((page - 1) * limit, page * limit)

async function described(ctx: Ctx, scope: number, rows: readonly Row[]): Promise<Customer[]> {
  const rhythms = await readRhythms(
    ctx,
    scope,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => describe(row, rhythms.get(row.id)))
}

/** In the order of the ids. A person erased meanwhile is no longer a customer. */
async function readByIds(ctx: Ctx, scope: number, ids: readonly number[]): Promise<Customer[]> {
  const rows = await from(ctx, scope).where(and(inArray(users.id, [...ids]), isCustomer(scope)))
  const byId = new Map((await described(ctx, scope, rows)).map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Matching customers in the order of the list. */
const findIds = (ctx: Ctx, scope: number, filters: Filters, where?: SQL) =>
  ctx.db
    .select({ id: users.id })
    .from(customerTotals)
    .innerJoin(users, eq(users.id, customerTotals.userId))
    .leftJoin(customerTags, and(eq(customerTags.userId, users.id), eq(customerTags.vendorId, scope)))
    .where(and(matchingAll(ctx, filters, scope), where))
    .orderBy(sortFor(ctx, filters.sort))
    .limit(MAX_EXPORTED)

async function findDueIds(ctx: Ctx, scope: number, filters: Filters): Promise<number[]> {
  const due = (await listDue(ctx, scope)).map(({ id }) => id)
  const found = (await findIds(ctx, scope, filters, sql`${users.id} = any(${sql.param(due)}::integer[])`)).map(
    ({ id }) => id,
  )
  if (filters.sort !== 'dueDate') return found
  const matches = new Set(found)
  return due.filter((id) => matches.has(id))
}

/** A file has the newest rows only, within the row limit of spreadsheets. */
export const MAX_EXPORTED = 100_000

const BATCH = 500

/** All matching customers, ordered as at the time of the call; read in batches while the file is sent. */
export async function* readCustomers(ctx: Ctx, filters: Filters): AsyncGenerator<Customer> {
  const scope = scopeOf(ctx.actor, filters.vendorId)
  const ids = filters.due
    ? await findDueIds(ctx, scope, filters)
    : (await findIds(ctx, scope, filters)).map(({ id }) => id)
  for (let page = 1; (page - 1) * BATCH < ids.length; page += 1)
    yield* await readByIds(ctx, scope, pageOf(ids, page, BATCH))
}

export async function listTags(ctx: Ctx, requestedVendorId?: number): Promise<Output<typeof listCustomerTags>> {
  const tag = sql<string>`unnest(${customerTags.tags})`
  return ctx.db
    .select({ tag, count: sql<number>`count(*)::integer` })
    .from(customerTags)
    .where(eq(customerTags.vendorId, scopeOf(ctx.actor, requestedVendorId)))
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 1`)
    .limit(100)
}

/** @throws CUSTOMER_NOT_FOUND if unknown or without an order from the actor's vendor */
export async function requireCustomerRow(ctx: Ctx, id: number): Promise<Row> {
  const scope = scopeOf(ctx.actor)
  const [row] = await from(ctx, scope).where(and(eq(users.id, id), isCustomer(scope)))
  if (!row) throw new AppError('CUSTOMER_NOT_FOUND')
  return row
}
