import type { Actor } from '@qatra/contract/actor'
import { isAuthorized } from '@qatra/contract/permissions'
import { managesVendor } from '../vendors/policy.ts'

/** Run and cash of a driver are open to himself and to those who run his vendor's day. */
export const mayFollow = (actor: Actor, driver: { id: number; vendorId: number }): boolean =>
  actor.user?.role === 'driver' ? actor.user.id === driver.id : runsTheDay(actor, driver.vendorId)

/** Cash is received, and put right, by the office: nobody hands over to himself. */
export const runsTheDay = (actor: Actor, vendorId: number): boolean =>
  isAuthorized({ allow: 'admin' }, actor.user) && managesVendor(actor, vendorId)
