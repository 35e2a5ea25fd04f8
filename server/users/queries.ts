import type { ActorUser } from '@qatra/contract/actor'
import type { User } from '@qatra/contract/auth'
import { eq } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { users } from './tables.ts'

export type UserRow = typeof users.$inferSelect

/** Coordinates 0,0 mean "not chosen". */
export const describeUser = (row: UserRow): User => ({
  id: row.id,
  phone: row.phone,
  name: row.name,
  role: row.role,
  vendorId: row.vendorId,
  permissions: row.permissions,
  isVerified: row.isVerified,
  language: row.language,
  address: row.address,
  addressParts: row.addressParts,
  mapCoordinates: row.lat === 0 && row.lng === 0 ? null : { lat: row.lat, lng: row.lng },
  instructions: row.instructions,
  vatNumber: row.vatNumber,
  notificationEnabled: row.notificationEnabled,
  notificationTypes: row.notificationTypes,
  marketingConsent: row.marketingConsent,
  createdAt: row.createdAt.toISOString(),
  impersonatedBy: null,
})

/** The signed-in user with the permissions of the role and, during impersonation, the impersonator. */
export function describeSelf({ actor: { user, impersonator } }: Ctx, row: UserRow): User {
  return {
    ...describeUser(row),
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
    .select()
    .from(users)
    .where(eq(users.id, userOf(ctx).id))
  if (!row) throw new Error('A session has its user')
  return describeSelf(ctx, row)
}
