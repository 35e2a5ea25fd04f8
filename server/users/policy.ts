import type { Actor } from '@qatra/contract/users/actor'
import { holds } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import { rolesInGift, vendorRoles } from '@qatra/contract/users/users'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { users } from './tables.ts'

/** People in reach: all for a super admin, those of the vendor for a vendor's admin. */
export function peopleInReach({ user }: Actor): SQL | undefined {
  if (user?.role === 'super_admin') return isNull(users.erasedAt)
  if (user?.role !== 'vendor_admin' || user.vendorId === null) return sql`false`
  return and(isNull(users.erasedAt), eq(users.vendorId, user.vendorId), inArray(users.role, [...vendorRoles]))
}

export interface PersonFacts {
  id: number
  role: Role
  vendorId: number | null
  isActive: boolean
}

/** Actions of the actor on this person. Nobody changes the own role, and nobody a person with a higher one. */
export function abilitiesOver({ user }: Actor, person: PersonFacts) {
  const isSuper = user?.role === 'super_admin'
  const isSelf = user?.id === person.id
  const gift = rolesInGift(user?.role ?? null)
  const isOwn = isSuper || (user !== null && user.vendorId !== null && user.vendorId === person.vendorId)
  const mayWrite = user !== null && holds(['users.write'], user.permissions)
  const edit = mayWrite && isOwn && gift.includes(person.role)
  const changeRole = edit && !isSelf
  const canBeImpersonated = person.isActive && person.role !== 'super_admin' && !isSelf
  return {
    edit,
    changePermissions: edit && isSuper,
    switchOff: edit && !isSelf,
    changeRole,
    impersonate: isSuper && canBeImpersonated && holds(['users.impersonate'], user.permissions),
    roles: changeRole ? [...gift] : [],
  }
}
