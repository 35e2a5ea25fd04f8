import type { Actor } from '@qatra/contract/users/actor'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { managesVendor } from '../vendors/policy.ts'

/** A driver's run and cash are visible to the driver and to the vendor's admins. */
export const canViewDriver = (actor: Actor, driver: { id: number; vendorId: number }): boolean =>
  actor.user?.role === 'driver' ? actor.user.id === driver.id : canManageCash(actor, driver.vendorId)

/** Cash is received and corrected by admins: drivers cannot hand over to themselves. */
export const canManageCash = (actor: Actor, vendorId: number): boolean =>
  isAuthorized({ allow: 'admin' }, actor.user) && managesVendor(actor, vendorId)
