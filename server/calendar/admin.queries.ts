import type { ClosedDay, listClosedDays as listing } from '@qatra/contract/calendar-admin'
import type { Parsed } from '@qatra/contract/endpoint'
import { and, asc, count, eq, gte, inArray, isNull, lte, or, type SQL } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { orders } from '../orders/tables.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { mayOpen } from './policy.ts'
import { holidays } from './tables.ts'

export type DayRow = typeof holidays.$inferSelect

/** Public holidays and the closures in reach, by day. */
export async function listClosedDays(ctx: Ctx, { page, limit, from, to, vendorId }: Parsed<typeof listing>['query']) {
  const vendor = vendorInReach(ctx.actor, vendorId || null)
  const rows = and(
    from ? gte(holidays.day, from) : undefined,
    to ? lte(holidays.day, to) : undefined,
    vendor === null ? undefined : or(isNull(holidays.vendorId), eq(holidays.vendorId, vendor)),
  )
  const [[{ total } = { total: 0 }], items] = await Promise.all([
    ctx.db.select({ total: count() }).from(holidays).where(rows),
    ctx.db
      .select()
      .from(holidays)
      .where(rows)
      .orderBy(asc(holidays.day), asc(holidays.id))
      .limit(limit)
      .offset((page - 1) * limit),
  ])
  return { items: items.map((row) => describeDay(ctx, row)), page, limit, total }
}

export const describeDay = (ctx: Ctx, { id, day, vendorId, name, nameAr, isEstimated }: DayRow): ClosedDay => ({
  ...{ id, day, vendorId, isEstimated },
  name: name || null,
  nameAr: nameAr || null,
  can: { remove: mayOpen(ctx, { day, vendorId }) === null },
})

/** Orders that are on their way and were promised for a day; they keep it. */
export async function countPromised(ctx: Ctx, day: string, vendorId: number | null): Promise<number> {
  const promised: (SQL | undefined)[] = [
    eq(orders.promisedDate, day),
    inArray(orders.status, ['new', 'in-progress', 'shipped']),
    vendorId === null ? undefined : eq(orders.vendorId, vendorId),
  ]
  const [row] = await ctx.db
    .select({ n: count() })
    .from(orders)
    .where(and(...promised))
  return row?.n ?? 0
}
