import type { Actor } from '@qatra/contract/users/actor'
import { AppError } from '../lib/errors.ts'

/**
 * The vendor whose rows the actor can access, from the session alone; null for all vendors.
 * @param requestedVendorId from a body, a file or a filter
 * @throws FORBIDDEN if it is a vendor out of reach; it is never replaced silently
 */
export function vendorInReach({ user }: Actor, requestedVendorId?: number | null): number | null {
  if (user?.role === 'super_admin') return requestedVendorId ?? null
  const own = user && user.role !== 'customer' ? user.vendorId : null
  if (own === null || ((requestedVendorId ?? null) !== null && requestedVendorId !== own))
    throw new AppError('FORBIDDEN')
  return own
}

/** Whether the actor can edit this vendor's data. */
export const managesVendor = ({ user }: Pick<Actor, 'user'>, vendorId: number): boolean =>
  user !== null && (user.role === 'super_admin' || (user.role !== 'customer' && user.vendorId === vendorId))

/** Only the marketplace creates, activates, deactivates and deletes vendors. */
export const runsTheMarket = ({ user }: Actor): boolean => user?.role === 'super_admin'

/** Inactive vendors and products are visible to super admins and to the vendor's staff. */
export const maySeeInactive = (actor: Pick<Actor, 'user'>, { id }: { id: number }): boolean => managesVendor(actor, id)
