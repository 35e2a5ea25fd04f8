import type { ClosedDay, listClosedDays as listing } from '@qatra/contract/calendar/admin'
import { type DeliverySlot, type PromiseFields, sameSlot, slotOf } from '@qatra/contract/calendar/slot'
import type { Parsed } from '@qatra/contract/endpoint'
import { and, asc, count, eq, gte, isNull, lte, or } from 'drizzle-orm'
import { shareLock, takeLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { allInOrder } from '../database/transaction.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { canKeepSlot, type DeliveryTerms, requireOffered, staffSlotsFor } from './delivery-days.ts'
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

/**
 * Excludes the closing of a day until the transaction ends. Taken before a day is promised: an order is either committed
 * before the closure, whose job then finds it, or the order's transaction reads the closure.
 */
export const lockCalendar = ({ db }: { db: Db }) => shareLock(db, 'calendar')

/** Waits for all transactions that promise a day. */
export const lockCalendarToClose = ({ db }: { db: Db }) => takeLock(db, 'calendar')

const todaySql = `(now() at time zone 'Asia/Bahrain')::date`

/** Days without delivery of a vendor, from the first one on; both are SQL expressions. */
export const closedDaysSql = (vendor: string, first = todaySql) =>
  `(select coalesce(json_agg(h.day), '[]') from holidays h
    where h.day >= ${first} and (h.vendor_id is null or h.vendor_id = ${vendor}))`

const termsSql = statement(
  'delivery-terms',
  `select v.cut_off as "cutOff", ${closedDaysSql('v.id', `least($2::date, ${todaySql})`)} as "closedDays"
   from vendors v where v.id = $1`,
)

/**
 * Locks the calendar, then reads, in one round trip.
 * @param since the first closed day of the terms if it lies before today
 */
export async function readDeliveryTerms(
  { db }: Pick<Ctx, 'db'>,
  vendorId: number,
  since: string | null = null,
): Promise<DeliveryTerms> {
  const [, [terms]] = await allInOrder([lockCalendar({ db }), run<DeliveryTerms>(db, termsSql, [vendorId, since])])
  return terms ?? { cutOff: null, closedDays: [] }
}

/** The slot of an order that is opened again: its own while it can be kept, else the chosen one. @throws DATE_NOT_AVAILABLE */
export async function requireKeptSlot(
  ctx: Pick<Ctx, 'db' | 'now'>,
  order: { vendorId: number } & PromiseFields,
  chosen: DeliverySlot,
): Promise<DeliverySlot> {
  const terms = await readDeliveryTerms(ctx, order.vendorId)
  const isKept = sameSlot(chosen, slotOf(order)) && canKeepSlot(terms, chosen, ctx.now)
  return isKept ? chosen : requireOffered(staffSlotsFor(terms, ctx.now), chosen)
}
