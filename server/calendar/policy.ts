import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { ErrorCode } from '@qatra/contract/errors'
import type { Actor } from '@qatra/contract/users/actor'
import { holds, isAuthorized } from '@qatra/contract/users/permissions'
import type { Ctx } from '../database/context.ts'

/** Public holidays change the delivery days of every vendor, so only super admins can declare them. */
export const mayDeclareHolidays = ({ user }: Actor) =>
  isAuthorized({ allow: 'super', permissions: ['calendar.holidays'] }, user)

/**
 * Why the person cannot remove this closed day; null if they can. Another vendor's closures are reported as not found.
 */
export function mayOpen(
  { actor, now }: Pick<Ctx, 'actor' | 'now'>,
  day: { day: string; vendorId: number | null },
): ErrorCode | null {
  const { user } = actor
  const isMarket = user?.role === 'super_admin'
  if (day.vendorId !== null && !isMarket && user?.vendorId !== day.vendorId) return 'NOT_FOUND'
  const may = day.vendorId === null ? mayDeclareHolidays(actor) : holds(['calendar.closures'], user?.permissions ?? [])
  if (!may) return 'FORBIDDEN'
  return day.day < bahrainDate(now) ? 'DAY_PASSED' : null
}
