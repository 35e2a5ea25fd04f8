import type { Coordinates } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import { eq, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { listAddressRows } from './address-book.queries.ts'
import { addresses, users } from './tables.ts'

export interface Caller {
  phone: string
  name: string
  address: string
  addressParts: AddressParts | null
  point: Coordinates
  pinSource: PinSource | null
  instructions: string | null
  receiverName: string | null
  receiverPhone: string | null
}

const lockSql = statement('caller-lock', 'select from users where phone = $1 for no key update')

/** Locks the account with this phone, if there is one, before the locks that placing an order takes. */
export const lockCaller = ({ db }: Pick<Ctx, 'db'>, phone: string) => run(db, lockSql, [phone])

/**
 * The account of a caller, created if missing. Fills in a missing name and saves the address of a customer
 * who has none; never changes staff. Locks the row until the transaction ends, so that the account is not erased.
 * @throws CUSTOMER_SWITCHED_OFF
 */
export async function customerOfCaller(ctx: Ctx, caller: Caller): Promise<{ id: number }> {
  const { phone, name, point, ...place } = caller
  const saveAddress = (userId: number) =>
    ctx.db.insert(addresses).values({ ...place, lat: point.lat, lng: point.lng, userId, isDefault: true })
  const [made] = await ctx.db
    .insert(users)
    .values({ phone, name, createdBy: userOf(ctx).id })
    .onConflictDoNothing({ target: users.phone })
    .returning({ id: users.id })
  if (made) {
    await saveAddress(made.id)
    await emit(ctx, { name: 'user.created', action: 'created', resource: 'user', id: made.id })
    return made
  }
  const [row] = await ctx.db.select().from(users).where(eq(users.phone, phone)).for('no key update')
  // Erased between the two statements, so the number is available again.
  if (!row) return customerOfCaller(ctx, caller)
  if (!row.isActive) throw new AppError('CUSTOMER_SWITCHED_OFF')
  if (row.role !== 'customer') return row
  const hasAddress = (await listAddressRows(ctx, row.id)).length > 0
  if (!hasAddress) await saveAddress(row.id)
  if (row.name === null) await ctx.db.update(users).set({ name, updatedAt: sql`now()` }).where(eq(users.id, row.id))
  const news = [...(row.name === null ? ['name'] : []), ...(hasAddress ? [] : ['addresses'])]
  if (news.length === 0) return row
  const changes = news.map((field) => ({ field, from: null, to: field === 'name' ? 'changed' : 'added' }))
  await emit(ctx, { name: 'user.updated', action: 'updated', resource: 'user', id: row.id, changes })
  return row
}
