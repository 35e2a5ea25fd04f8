import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/lib/text'
import type { listOrders } from '@qatra/contract/orders/admin'
import type { Attention } from '@qatra/contract/orders/filters'
import { type AnyColumn, and, eq, gte, inArray, isNull, like, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { moneyKinds } from '../../ledger/queries.ts'
import { ledgerEntries } from '../../ledger/tables.ts'
import { isNumber, searchedDigits } from '../../lib/phone.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { vendorBusiness } from '../../vendors/tables.ts'
import { isOpen, isUntried } from '../attempts.queries.ts'
import { managedBy } from '../policy.ts'
import { orderItems, orders } from '../tables.ts'

export type Filters = Omit<Parsed<typeof listOrders>['query'], 'page' | 'limit' | 'sort' | 'status'> & {
  status?: Parsed<typeof listOrders>['query']['status']
}

/** With the delivery day in place of `next`. */
export type ResolvedFilters = Omit<Filters, 'day'> & { day?: string | undefined }

/** Orders of a range of at most so many days are counted completely, as on the dashboard. */
const MAX_DAYS = 62
const MAX_WORDS = 6
/** The name of a product finds its newest orders: at most so many products, lines of each, and lines of all. */
const MAX_PRODUCTS = 50
const MAX_LINES_EACH = 300
const MAX_LINES = 1_000

/** Conditions of the filtered orders within the actor's reach. @throws FORBIDDEN for a vendor out of reach */
export function matching(ctx: Ctx, filters: ResolvedFilters): SQL {
  const { vendorId, areaId, status, paymentStatus, search, day, attention } = filters
  const today = bahrainDate(ctx.now)
  if (vendorId) vendorInReach(ctx.actor, vendorId)
  const conditions = [
    managedBy(ctx.actor),
    vendorId ? eq(orders.vendorId, vendorId) : undefined,
    filters.ids && inArray(orders.id, filters.ids),
    oneOf(orders.status, status),
    inAreas(areaId),
    holdingProducts(filters),
    filters.customPrices ? holdingAgreedPrice : undefined,
    drivenBy(filters.driverId),
    paidAs(paymentStatus),
    paidBy(filters.means),
    day === undefined ? undefined : onDay(day, today),
    attention && needing(attention, today),
    ...within(filters),
    filters.before === undefined ? undefined : lt(orders.createdAt, new Date(filters.before)),
    filters.hour === undefined ? undefined : sql`${hourOf(orders.createdAt)} = ${filters.hour}`,
    ...(search ? wordsOf(search).map((word) => holding(ctx, word)) : []),
  ]
  return and(...conditions) ?? sql`true`
}

/** A single value is compared with `=`, so that the index returns rows in the order of time. */
function oneOf<Value>(column: typeof orders.status | typeof orders.areaId, values: Value[] | undefined) {
  const [first, second] = values ?? []
  if (first === undefined) return undefined
  return second === undefined ? sql`${column} = ${first}` : inArray(column as typeof orders.status, values as never[])
}

const isLate = (today: string): SQL => sql`(${isOpen} and ${orders.promisedDate} < ${today})`

/** The orders of a delivery day; the day's work also contains the open orders of earlier days, as a driver's run does. */
const onDay = (day: string, today: string): SQL | undefined =>
  day === today ? or(eq(orders.promisedDate, day), isLate(today)) : eq(orders.promisedDate, day)

/** A new order that is not `isReady`. */
const isUnconfirmed = sql`(${orders.status} = 'new' and (${orders.assignedDriverId} is null or not exists (
  select from ${vendorBusiness} where ${vendorBusiness.vendorId} = ${orders.vendorId} and not ${vendorBusiness.processing})))`

function needing(attention: Attention, today: string): SQL | undefined {
  if (attention === 'late') return isLate(today)
  if (attention === 'failed') return isUntried
  if (attention === 'unconfirmed') return isUnconfirmed
  return and(isOpen, isNull(orders.assignedDriverId))
}

/** The position in the sort `due`. */
export const dueRank = (today: string): SQL => sql`case
  when ${isLate(today)} then 0 when ${isUntried} then 1
  when ${orders.status} = 'delivered' then 3 when ${orders.status} = 'cancelled' then 4 else 2 end`

/** A range of at most `MAX_DAYS` by the time of placing. */
export const isShortRange = ({ by, from, to }: Filters): boolean =>
  by === 'created' && from !== undefined && to !== undefined && addDays(from, MAX_DAYS) > to

function inAreas(wanted: Filters['areaId']) {
  const ids = wanted?.filter((id) => id !== 'none')
  if (ids?.length === wanted?.length) return oneOf(orders.areaId, ids)
  return or(isNull(orders.areaId), oneOf(orders.areaId, ids))
}

function holdingProducts({ productId: ids, ...filters }: Filters) {
  if (!ids || ids.length === 0) return undefined
  const isOneOfThem = ids.length === 1 ? eq(orderItems.productId, ids[0] ?? 0) : inArray(orderItems.productId, ids)
  // In a short range `offset 0` looks into each order, not at all lines of the products ever sold.
  const each = isShortRange(filters) ? sql`offset 0` : sql``
  return sql`exists (select from ${orderItems} where ${orderItems.orderId} = ${orders.id} and ${isOneOfThem} ${each})`
}

/** Only sales write the product's own price beside the charged one. */
const holdingAgreedPrice = sql`exists (
  select from ${orderItems} where ${orderItems.orderId} = ${orders.id} and ${orderItems.listPrice} is not null)`

/** The hour in Asia/Bahrain, UTC+3 without daylight saving. */
const hourOf = (at: AnyColumn): SQL => sql`extract(hour from ${at} at time zone 'UTC' + interval '3 hours')`

function drivenBy(wanted: Filters['driverId']) {
  if (!wanted || wanted.length === 0) return undefined
  const ids = wanted.filter((id) => id !== 'none')
  const isUnassigned = ids.length < wanted.length ? isNull(orders.assignedDriverId) : undefined
  if (ids.length === 0) return isUnassigned
  return or(
    isUnassigned,
    ids.length === 1 ? sql`${orders.assignedDriverId} = ${ids[0]}` : inArray(orders.assignedDriverId, ids),
  )
}

/** A missing payment status reads as unpaid; the condition must match the partial index's literally. */
function paidAs(wanted: Filters['paymentStatus']) {
  if (!wanted || wanted.length === 0) return undefined
  const paid = sql`coalesce(${orders.paymentStatus}, 'unpaid')`
  const named = wanted.length === 1 ? sql`${paid} = ${wanted[0]}` : inArray(paid, wanted)
  return and(named, wanted.includes('paid') ? undefined : sql`${paid} <> 'paid'`)
}

/** Means by which something was paid and not taken back in full. */
const paidBy = (means: Filters['means']) =>
  means && means.length > 0
    ? sql`exists (select from ${ledgerEntries} where ${ledgerEntries.orderId} = ${orders.id}
        and ${ledgerEntries.ledger} = 'money' and ${inArray(ledgerEntries.kind, moneyKinds)}
        and ${inArray(ledgerEntries.means, means)}
        group by ${ledgerEntries.means} having sum(${ledgerEntries.amount}) > 0)`
    : undefined

function within({ from, to, by }: Filters): (SQL | undefined)[] {
  if (by === 'promised') {
    return [
      from ? gte(orders.promisedDate, from) : undefined,
      to ? lte(orders.promisedDate, to) : undefined,
      // Orders are placed before their promised day, so the scan can start there.
      to ? lt(orders.createdAt, startOfBahrainDay(addDays(to, 1))) : undefined,
    ]
  }
  return [
    from ? gte(orders.createdAt, startOfBahrainDay(from)) : undefined,
    to ? lt(orders.createdAt, startOfBahrainDay(addDays(to, 1))) : undefined,
  ]
}

/** Words before the number of a block: the number alone is searched. */
const blockWords = new Set(['block', 'blk', fold('مجمع')])

/** Normalizes a search: ids and phones as one word, names as several. */
export function wordsOf(search: string): string[] {
  const text = fold(search).replaceAll('#', '')
  const number = search.replaceAll('/', '')
  const digits = isNumber(number) ? searchedDigits(number) : ''
  // Nearly all phones begin with 973: without it the index has fewer candidates.
  if (digits.length >= 4) return [digits.replace(/^973(?=\d{8}$)/, '')]
  const id = text.replace(/[\s\p{Pd}\u2212]/gu, '')
  if (/^(?=.*\d)[a-z0-9]{12,16}$/.test(id)) return [id]
  const words = text.replace(/[+]/g, '').split(' ')
  const named = words.filter((word, at) => !(blockWords.has(word) && /^\d{3,4}$/.test(words[at + 1] ?? '')))
  return [...new Set(named)].filter((word) => word !== '').slice(0, MAX_WORDS)
}

/**
 * The word in the order's search text, or in the name of one of its products. An array of ids lets the planner combine
 * both indexes. A trigram index finds words under three letters only as prefixes.
 */
function holding({ actor }: Ctx, word: string): SQL {
  const literal = word.replace(/[\\%_]/g, '\\$&')
  const isShort = [...word].length < 3
  const inOrder = like(orders.searchText, isShort ? `% ${literal}%` : `%${literal}%`)
  if (isShort || /^\d+$/.test(word)) return inOrder
  const vendorId = actor.user?.vendorId ?? null
  return sql`(${inOrder} or ${orders.id} = any(array(
    select line.order_id from (
      select id from products where fold_text(name || ' ' || coalesce(name_ar, '')) like ${`%${literal}%`}
        and (${vendorId}::integer is null or vendor_id = ${vendorId}) order by id limit ${MAX_PRODUCTS}
    ) named cross join lateral (
      select id, order_id from order_items where product_id = named.id order by id desc limit ${MAX_LINES_EACH}
    ) line order by line.id desc limit ${MAX_LINES})))`
}

/** The earliest delivery day with open orders; today if an open order is late, or without open orders. */
async function nextDay(ctx: Ctx, { vendorId }: Pick<Filters, 'vendorId'>, today: string): Promise<string> {
  const { rows } = await ctx.db.execute<{ day: string | null }>(
    sql`select min(promised_date)::text as day from orders where ${matching(ctx, { vendorId, by: 'created' })} and ${isOpen}`,
  )
  const day = rows[0]?.day
  return day && day > today ? day : today
}

/** Replaces the day `next` by its date. */
export async function resolved<F extends Pick<Filters, 'day' | 'vendorId'>>(ctx: Ctx, filters: F) {
  const day = filters.day === 'next' ? await nextDay(ctx, filters, bahrainDate(ctx.now)) : filters.day
  return { ...filters, day }
}
