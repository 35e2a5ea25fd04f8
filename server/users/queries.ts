import type { ActorUser } from '@qatra/contract/users/actor'
import type { User } from '@qatra/contract/users/auth'
import { and, eq } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { type AddressRow, findDefaultAddress, pointOf } from './address-book.queries.ts'
import { addresses, users } from './tables.ts'

export type UserRow = typeof users.$inferSelect

/** @param delivery the default address */
export const describeUser = (row: UserRow, delivery: AddressRow | null): User => ({
  id: row.id,
  phone: row.phone,
  name: row.name,
  role: row.role,
  preset: row.preset,
  vendorId: row.vendorId,
  permissions: row.permissions,
  isVerified: row.isVerified,
  language: row.language,
  address: delivery?.address ?? null,
  addressParts: delivery?.addressParts ?? null,
  mapCoordinates: delivery && pointOf(delivery),
  instructions: delivery?.instructions ?? null,
  companyName: row.companyName,
  crNumber: row.crNumber,
  vatNumber: row.vatNumber,
  notificationEnabled: row.notificationEnabled,
  notificationTypes: row.notificationTypes,
  marketingConsent: row.marketingConsent,
  reminders: row.reminders,
  createdAt: row.createdAt.toISOString(),
  impersonatedBy: null,
})

export const readUser = async (ctx: Pick<Ctx, 'db'>, row: UserRow): Promise<User> =>
  describeUser(row, await findDefaultAddress(ctx, row.id))

/** The signed-in user with the permissions of the role and, during impersonation, the impersonator. */
export function describeSelf({ actor: { user, impersonator } }: Ctx, row: UserRow, delivery: AddressRow | null): User {
  return {
    ...describeUser(row, delivery),
    permissions: [...(user?.permissions ?? row.permissions)],
    impersonatedBy: impersonator && { name: impersonator.name, phone: impersonator.phone },
  }
}

export const actorUserOf = (row: UserRow): ActorUser => ({
  id: row.id,
  phone: row.phone,
  name: row.name,
  role: row.role,
  vendorId: row.vendorId,
  permissions: row.permissions,
  language: row.language,
  isVerified: row.isVerified,
})

export async function readMe(ctx: Ctx): Promise<User> {
  const [row] = await ctx.db
    .select({ user: users, delivery: addresses })
    .from(users)
    .leftJoin(addresses, and(eq(addresses.userId, users.id), eq(addresses.isDefault, true)))
    .where(eq(users.id, userOf(ctx).id))
  if (!row) throw new Error('A session has its user')
  return describeSelf(ctx, row.user, row.delivery)
}
