import type { ClosedDay, listClosedDays as listing } from '@qatra/contract/calendar/admin'
import type { Parsed } from '@qatra/contract/endpoint'
import { and, asc, count, eq, gte, isNull, lte, or } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { mayOpen } from './policy.ts'
import { holidays } from './tables.ts'

export type DayRow = typeof holidays.$inferSelect

/** Public holidays and the closures of vendors in reach, by day. */
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
  id,
  day,
  vendorId,
  isEstimated,
  name: name || null,
  nameAr: nameAr || null,
  can: { remove: mayOpen(ctx, { day, vendorId }) === null },
})

const promisedSql = statement(
  'calendar-promised',
  `select count(*)::int as n from orders
   where promised_date = $1::date and status in ('new', 'in-progress', 'shipped') and ($2::int is null or vendor_id = $2)`,
)

/** Open orders that are promised for a day. */
export async function countPromised(ctx: Ctx, day: string, vendorId: number | null): Promise<number> {
  const [row] = await run<{ n: number }>(ctx.db, promisedSql, [day, vendorId])
  return row?.n ?? 0
}
