import type { closeDay as close, openDay as open } from '@qatra/contract/calendar/admin'
import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Parsed } from '@qatra/contract/endpoint'
import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { authorsOf, emit, publish } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { vendors } from '../vendors/tables.ts'
import { mayDeclareHolidays, mayOpen } from './policy.ts'
import { countPromised, type DayRow, describeDay, lockCalendarToClose } from './queries.ts'
import { holidays } from './tables.ts'

const FARTHEST_DAYS = 5 * 366

/**
 * Closes a day for one vendor or for all. Orders already promised for the day keep it, or a job moves them to the next open
 * day; the response counts them.
 */
export async function closeDay(ctx: Ctx, body: Parsed<typeof close>['body']) {
  const vendorId = closedFor(ctx, body.vendorId)
  const today = bahrainDate(ctx.now)
  if (body.day < today) throw invalidFields(ctx, { day: 'validation.dayPast' })
  if (body.day > addDays(today, FARTHEST_DAYS)) throw invalidFields(ctx, { day: 'validation.dayFar' })
  if (vendorId === null) requireNames(ctx, body)
  else await requireVendorRow(ctx, vendorId)
  const { day, name, nameAr, isEstimated = false, moveOrders = false } = body
  await lockCalendarToClose(ctx)
  const [row] = await ctx.db
    .insert(holidays)
    .values({ day, vendorId, name: name ?? '', nameAr: nameAr ?? '', isEstimated: vendorId === null && isEstimated })
    .onConflictDoNothing()
    .returning()
  if (!row) throw new AppError('DAY_TAKEN')
  await record(ctx, 'created', row)
  const openOrders = await countPromised(ctx, day, vendorId)
  const moved = moveOrders ? openOrders : 0
  if (moved > 0) {
    const { changedBy: by, onBehalfOf } = authorsOf(ctx)
    await publish(ctx, 'calendar.day-closed', { day, vendorId, by, onBehalfOf })
  }
  return { ...describeDay(ctx, row), openOrders, moved }
}

export async function openDay(ctx: Ctx, query: Parsed<typeof open>['query']): Promise<{ success: true }> {
  const [row] = await ctx.db.select().from(holidays).where(named(ctx, query)).for('update')
  if (!row) throw new AppError('NOT_FOUND')
  const obstacle = mayOpen(ctx, row)
  if (obstacle) throw new AppError(obstacle)
  await ctx.db.delete(holidays).where(eq(holidays.id, row.id))
  await record(ctx, 'deleted', row)
  return { success: true }
}

/** Null means all vendors: a public holiday, which vendor staff cannot declare. */
function closedFor(ctx: Ctx, requestedVendorId: number | null | undefined): number | null {
  const vendorId = vendorInReach(ctx.actor, requestedVendorId ?? null)
  const isHoliday = vendorId === null || requestedVendorId === null
  if (!isHoliday) return vendorId
  if (!mayDeclareHolidays(ctx.actor)) throw new AppError('FORBIDDEN')
  return null
}

function requireNames(ctx: Ctx, { name, nameAr }: Parsed<typeof close>['body']) {
  const missing = [!name && 'name', !nameAr && 'nameAr'].filter((field) => field !== false)
  if (missing.length === 0) return
  throw invalidFields(ctx, Object.fromEntries(missing.map((field) => [field, 'validation.required'])))
}

/** Locks the vendor, so that it is not deleted before the closure is written. */
async function requireVendorRow(ctx: Ctx, id: number) {
  const [row] = await ctx.db.select({ id: vendors.id }).from(vendors).where(eq(vendors.id, id)).for('key share')
  if (!row) throw invalidFields(ctx, { vendorId: 'validation.vendorUnknown' })
}

/** @throws INVALID_QUERY without id and day */
function named(ctx: Ctx, { id, day, vendorId }: Parsed<typeof open>['query']) {
  if (id !== undefined) return eq(holidays.id, id)
  if (day === undefined) throw invalidFields(ctx, { id: 'validation.required' }, 'INVALID_QUERY')
  const vendor = vendorInReach(ctx.actor, vendorId || null)
  return and(eq(holidays.day, day), vendor === null ? isNull(holidays.vendorId) : eq(holidays.vendorId, vendor))
}

function record(ctx: Ctx, action: ActionOf<'closure'>, { id, day, vendorId, name, nameAr, isEstimated }: DayRow) {
  const facts = Object.entries({ day, vendorId, name, nameAr, isEstimated })
  const changes = facts.map(([field, value]) =>
    action === 'created' ? { field, from: null, to: value } : { field, from: value, to: null },
  )
  const resource = vendorId === null ? 'holiday' : 'closure'
  return emit(ctx, { name: `${resource}.${action}`, action, resource, id, vendorId, changes })
}
