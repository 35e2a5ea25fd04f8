import { addDays, startOfBahrainDay } from '@qatra/contract/calendar'
import type { Parsed } from '@qatra/contract/endpoint'
import type { listOrders } from '@qatra/contract/orders-admin'
import { fold } from '@qatra/contract/text'
import { type AnyColumn, and, eq, gte, inArray, isNull, like, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { searchedDigits } from '../../lib/phone.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { managedBy } from '../policy.ts'
import { orderItems, orders } from '../tables.ts'

export type Filters = Omit<Parsed<typeof listOrders>['query'], 'page' | 'limit' | 'sort' | 'status'> & {
  status?: Parsed<typeof listOrders>['query']['status']
}

const MAX_WORDS = 6

/** Conditions of the filtered orders within the actor's reach. @throws FORBIDDEN for a vendor out of reach */
export function matching(ctx: Ctx, filters: Filters): SQL {
  const { vendorId, areaId, status, paymentStatus, search } = filters
  if (vendorId) vendorInReach(ctx.actor, vendorId)
  const conditions = [
    managedBy(ctx.actor),
    vendorId ? eq(orders.vendorId, vendorId) : undefined,
    oneOf(orders.status, status),
    inAreas(areaId),
    holdingProducts(filters.productId),
    filters.customPrices ? holdingAgreedPrice : undefined,
    drivenBy(filters.driverId),
    paidAs(paymentStatus),
    ...within(filters),
    filters.before === undefined ? undefined : lt(orders.createdAt, new Date(filters.before)),
    filters.hour === undefined ? undefined : sql`${hourOf(orders.createdAt)} = ${filters.hour}`,
    ...(search ? wordsOf(search).map(holding) : []),
  ]
  return and(...conditions) ?? sql`true`
}

/** A single value is compared with `=`, so that the index returns rows in the order of time. */
function oneOf<Value>(column: typeof orders.status | typeof orders.areaId, values: Value[] | undefined) {
  const [first, second] = values ?? []
  if (first === undefined) return undefined
  return second === undefined ? sql`${column} = ${first}` : inArray(column as typeof orders.status, values as never[])
}

function inAreas(wanted: Filters['areaId']) {
  const ids = wanted?.filter((id) => id !== 'none')
  if (ids?.length === wanted?.length) return oneOf(orders.areaId, ids)
  return or(isNull(orders.areaId), oneOf(orders.areaId, ids))
}

function holdingProducts(ids: number[] | undefined) {
  if (!ids || ids.length === 0) return undefined
  const isOneOfThem = ids.length === 1 ? eq(orderItems.productId, ids[0] ?? 0) : inArray(orderItems.productId, ids)
  return sql`exists (select from ${orderItems} where ${orderItems.orderId} = ${orders.id} and ${isOneOfThem})`
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

/** Normalizes a search: ids and phones as one word, names as several. */
export function wordsOf(search: string): string[] {
  const text = fold(search)
  const digits = text.replace(/[\s+()./-]/g, '')
  // Nearly all phones begin with 973: without it the index has fewer candidates.
  if (/^\d{4,}$/.test(digits)) return [searchedDigits(digits).replace(/^973(?=\d{8}$)/, '')]
  const id = text.replace(/[\s\p{Pd}\u2212]/gu, '')
  if (/^(?=.*\d)[a-z0-9]{12,16}$/.test(id)) return [id]
  return [...new Set(text.replace(/[+]/g, '').split(' '))].filter((word) => word !== '').slice(0, MAX_WORDS)
}

/** A trigram index finds words under three letters only as prefixes. */
function holding(word: string): SQL {
  const literal = word.replace(/[\\%_]/g, '\\$&')
  return like(orders.searchText, [...word].length < 3 ? `% ${literal}%` : `%${literal}%`)
}
