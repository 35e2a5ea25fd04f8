import { bahrainDate } from '@qatra/contract/calendar'
import type { StopsLeft } from '@qatra/contract/orders'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { ownedBy } from '../orders/policy.ts'
import { requireOrderRow } from '../orders/queries.ts'
import { users } from '../users/tables.ts'
import { planRun } from './run.queries.ts'

/** For the order's customer: numbers and the driver's first name, nothing else of the driver or of other orders. */
export async function readStopsLeft(ctx: Ctx, typedId: string): Promise<StopsLeft | null> {
  const { id, status, assignedDriverId } = await requireOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (status !== 'shipped' || assignedDriverId === null) return null
  const [{ ids, openIds }, [driver]] = await Promise.all([
    planRun(ctx, assignedDriverId, bahrainDate(ctx.now)),
    ctx.db.select({ name: users.name }).from(users).where(eq(users.id, assignedDriverId)),
  ])
  const left = openIds.indexOf(id)
  if (left < 0) return null
  const driverFirstName = driver?.name?.trim().split(/\s+/)[0] || null
  return { left, done: ids.indexOf(id) - left, driverFirstName }
}
