import type { Actor } from '@qatra/contract/actor'
import { AppError } from '../lib/errors.ts'

/**
 * The vendor whose rows somebody of the office works on, from the session alone; null where it is every vendor's.
 * `asked` comes from a body, a file or a filter.
 * @throws FORBIDDEN where `asked` is a vendor out of reach: it is never replaced in silence
 */
export function vendorInReach({ user }: Actor, asked?: number | null): number | null {
  if (user?.role === 'super_admin') return asked ?? null
  const own = user && user.role !== 'customer' ? user.vendorId : null
  if (own === null || ((asked ?? null) !== null && asked !== own)) throw new AppError('FORBIDDEN')
  return own
}

/** Whether somebody of the office works on this vendor's own facts. */
export const managesVendor = ({ user }: Actor, vendorId: number): boolean =>
  user !== null && (user.role === 'super_admin' || (user.role !== 'customer' && user.vendorId === vendorId))

/** Switching a vendor on and off, making and deleting it is the market's own. */
export const runsTheMarket = ({ user }: Actor): boolean => user?.role === 'super_admin'

/** What is switched off is there for super admins and the vendor's own people, and for nobody else. */
export const maySeeInactive = ({ user }: Pick<Actor, 'user'>, vendor: { id: number }): boolean =>
  user !== null && (user.role === 'super_admin' || user.vendorId === vendor.id)
