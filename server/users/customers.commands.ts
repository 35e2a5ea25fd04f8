import type { AddressParts } from '@qatra/contract/auth'
import type { Coordinates } from '@qatra/contract/geo'
import { eq, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { users } from './tables.ts'

export interface Caller {
  phone: string
  name: string
  address: string
  addressParts: AddressParts | null
  point: Coordinates
}

/**
 * The account of a caller, created if missing. Fills in only missing name and address of a customer; never changes
 * staff. Locks the row until the transaction ends, so that the account is not erased.
 * @throws CUSTOMER_SWITCHED_OFF
 */
export async function customerOfCaller(ctx: Ctx, caller: Caller): Promise<{ id: number }> {
  const { phone, name, address, addressParts, point } = caller
  const place = { address, addressParts, lat: point.lat, lng: point.lng }
  const [made] = await ctx.db
    .insert(users)
    .values({ phone, name, ...place, createdBy: userOf(ctx).id })
    .onConflictDoNothing({ target: users.phone })
    .returning({ id: users.id })
  if (made) {
    await emit(ctx, { name: 'user.created', action: 'created', resource: 'user', id: made.id })
    return made
  }
  const [row] = await ctx.db.select().from(users).where(eq(users.phone, phone)).for('no key update')
  // Erased between the two statements, so the number is available again.
  if (!row) return customerOfCaller(ctx, caller)
  if (!row.isActive) throw new AppError('CUSTOMER_SWITCHED_OFF')
  const news = { ...(row.name === null && { name }), ...(row.address === null && place) }
  if (row.role !== 'customer' || Object.keys(news).length === 0) return row
  await ctx.db
    .update(users)
    .set({ ...news, updatedAt: sql`now()` })
    .where(eq(users.id, row.id))
  const changes = Object.keys(news).map((field) => ({ field, from: null, to: 'changed' }))
  await emit(ctx, { name: 'user.updated', action: 'updated', resource: 'user', id: row.id, changes })
  return row
}
