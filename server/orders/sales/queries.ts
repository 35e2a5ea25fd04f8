import type { Fils } from '@qatra/contract/money'
import { toBhd } from '@qatra/contract/money'
import type { SalesCustomer } from '@qatra/contract/sales'
import { and, count, desc, eq, ne, sql } from 'drizzle-orm'
import { type Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { soldBy } from '../policy.ts'
import { findNewestOrder } from '../queries.ts'
import { orders } from '../tables.ts'

const DAYS = 31

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
  const profile = isMarket && row.address !== null && row.lat !== 0 ? row : null
  const own = profile && { ...profile, mapCoordinates: { lat: profile.lat, lng: profile.lng } }
  const place = lastOrder ?? own
  return {
    id: row.id,
    phone: row.phone,
    // Not the account's name: a first phone order would reveal the name behind any number.
    name: (isMarket ? row.name : null) ?? lastOrder?.customerName ?? null,
    address: place?.address ?? null,
    addressParts: place?.addressParts ?? null,
    mapCoordinates: place?.mapCoordinates ?? null,
    instructions: place?.instructions ?? null,
    orderCount: counted?.orders ?? 0,
    lastOrder,
  }
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
