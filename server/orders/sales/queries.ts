import type { Fils } from '@qatra/contract/lib/money'
import { toBhd } from '@qatra/contract/lib/money'
import type { SalesCustomer } from '@qatra/contract/sales'
import { and, count, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { readFreeBottles } from '../../bottles/queries.ts'
import { type Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { listAddressRows, pointOf } from '../../users/address-book.queries.ts'
import { users } from '../../users/tables.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { soldBy } from '../policy.ts'
import { findNewestOrder } from '../queries.ts'
import { orders } from '../tables.ts'

const DAYS = 31
/** Offered addresses of a customer. */
const MOST_PLACES = 10

/**
 * Finds the customer with a phone. A vendor's staff find only customers with orders of the vendor, under the name in those
 * orders; the response is the same for all other phones, with or without an account, and for staff.
 * @throws CUSTOMER_NOT_FOUND
 */
export async function requireSalesCustomer(ctx: Ctx, phone: string): Promise<SalesCustomer> {
  const vendorId = vendorInReach(ctx.actor)
  const isMarket = vendorId === null
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.phone, phone), eq(users.isActive, true), isMarket ? undefined : eq(users.role, 'customer')))
  if (!row) throw new AppError('CUSTOMER_NOT_FOUND')
  const scope = and(eq(orders.userId, row.id), isMarket ? undefined : eq(orders.vendorId, vendorId))
  const lastOrder = await findNewestOrder(ctx, scope)
  if (!isMarket && !lastOrder) throw new AppError('CUSTOMER_NOT_FOUND')
  const [counted] = await ctx.db.select({ orders: count() }).from(orders).where(scope)
  const places = await listPlaces(ctx, { userId: row.id, scope, isMarket })
  const place = lastOrder ?? places[0]
  return {
    id: row.id,
    phone: row.phone,
    // Not the account's name: a first phone order would reveal the name behind any number.
    name: (isMarket ? row.name : null) ?? lastOrder?.customerName ?? null,
    address: place?.address ?? null,
    addressParts: place?.addressParts ?? null,
    mapCoordinates: place?.mapCoordinates ?? null,
    pinSource: place?.pinSource ?? null,
    instructions: place?.instructions ?? null,
    places,
    orderCount: counted?.orders ?? 0,
    freeBottles: await readFreeBottles(ctx, phone, vendorId),
    lastOrder,
  }
}

type Place = SalesCustomer['places'][number]

/** Where the orders in the scope were delivered to, the last first; for the market's own staff, also the address book. */
async function listPlaces(
  ctx: Ctx,
  { userId, scope, isMarket }: { userId: number; scope: SQL | undefined; isMarket: boolean },
): Promise<Place[]> {
  const { address, addressParts, lat, lng, pinSource, instructions, receiverName, receiverPhone, createdAt } = orders
  const fields = { address, addressParts, lat, lng, pinSource, instructions, receiverName, receiverPhone, createdAt }
  const last = ctx.db
    .selectDistinctOn([address, lat, lng], fields)
    .from(orders)
    .where(scope)
    .orderBy(address, lat, lng, desc(createdAt))
    .as('last')
  const delivered = await ctx.db.select().from(last).orderBy(desc(last.createdAt)).limit(MOST_PLACES)
  const book = isMarket ? await listAddressRows(ctx, userId) : []
  const places = new Map<string, Place>()
  for (const one of [...delivered, ...book]) {
    const point = pointOf(one)
    if (one.address === null || point === null) continue
    const {
      addressParts: parts,
      pinSource: source,
      instructions: notes,
      receiverName: name,
      receiverPhone: phone,
    } = one
    const pin = { mapCoordinates: point, pinSource: source }
    const place = { address: one.address, addressParts: parts, ...pin, instructions: notes }
    // The text is in the language of the page on which it was entered.
    const key = JSON.stringify(
      parts?.block && parts.building
        ? [parts.block, parts.road, parts.building, parts.flat]
        : [one.address, point.lat, point.lng],
    )
    if (!places.has(key)) places.set(key, { ...place, receiverName: name, receiverPhone: phone })
  }
  return [...places.values()].slice(0, MOST_PLACES)
}

/** Bahrain days with sales, newest first. */
export async function listSalesDays(ctx: Ctx) {
  const day = sql<string>`to_char(${orders.createdAt} at time zone 'Asia/Bahrain', 'YYYY-MM-DD')`
  const rows = await ctx.db
    .select({ day, orders: count(), total: sql<string>`sum(${orders.total})` })
    .from(orders)
    .where(and(soldBy(ctx.actor), ne(orders.status, 'cancelled')))
    .groupBy(day)
    .orderBy(desc(day))
    .limit(DAYS)
  // A sum of stored fils.
  return rows.map((row) => ({ ...row, total: toBhd(Number(row.total) as Fils) }))
}
