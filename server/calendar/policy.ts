import { bahrainDate } from '@qatra/contract/calendar'
import type { ErrorCode } from '@qatra/contract/errors'
import type { Ctx } from '../platform/context.ts'
import { holds } from '@qatra/contract/permissions'

/** Why a day stays closed for this person; null where it may be opened. Another vendor's closures are not there. */
export function mayOpen(
  { actor, now }: Pick<Ctx, 'actor' | 'now'>,
  day: { day: string; vendorId: number | null },
): ErrorCode | null {
  const { user } = actor
  const isMarket = user?.role === 'super_admin'
  if (day.vendorId !== null && !isMarket && user?.vendorId !== day.vendorId) return 'NOT_FOUND'
  const need = day.vendorId === null ? ('calendar.holidays' as const) : ('calendar.closures' as const)
  if (!user || !holds([need], user.permissions)) return 'FORBIDDEN'
  return day.day < bahrainDate(now) ? 'DAY_PASSED' : null
}
