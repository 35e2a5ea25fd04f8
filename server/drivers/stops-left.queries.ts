import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { isTriedOn, untriedFirst } from '@qatra/contract/drivers'
import { givenName } from '@qatra/contract/lib/given-name'
import type { StopsLeft } from '@qatra/contract/orders/orders'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { ownedBy } from '../orders/policy.ts'
import { requireOrderRow } from '../orders/queries.ts'
import { users } from '../users/tables.ts'
import { planRun, readAttempts } from './run.queries.ts'

/** For the order's customer: numbers and the driver's given name, nothing else of the driver or of other orders. */
export async function readStopsLeft(ctx: Ctx, typedId: string): Promise<StopsLeft | null> {
  const { id, status, assignedDriverId } = await requireOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (status !== 'shipped' || assignedDriverId === null) return null
  const today = bahrainDate(ctx.now)
  const [{ ids, openIds }, [driver]] = await Promise.all([
    planRun(ctx, assignedDriverId, today),
    ctx.db.select({ name: users.name }).from(users).where(eq(users.id, assignedDriverId)),
  ])
  if (!openIds.includes(id)) return null
  const attempts = await readAttempts(ctx, openIds)
  // As on the driver's page; closed stops keep their places.
  const stops = untriedFirst(ids, (one) => openIds.includes(one) && isTriedOn(today, attempts(one)))
  const before = stops.slice(0, stops.indexOf(id))
  const left = before.filter((one) => openIds.includes(one)).length
  const driverFirstName = givenName(driver?.name ?? '') || null
  return { left, done: before.length - left, driverFirstName }
}
