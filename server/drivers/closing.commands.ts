import type { CashClosing, closeCash as close, reopenCash as reopen } from '@qatra/contract/cash-closing'
import type { Parsed } from '@qatra/contract/endpoint'
import { and, eq, isNull } from 'drizzle-orm'
import { numberLockKeys } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { readClosing, requireVendorId } from './closing.queries.ts'
import { cashClosings } from './tables.ts'

const lockSql = statement(
  'cash-day-lock',
  `select pg_advisory_xact_lock(${numberLockKeys['cash-day']}, cash_day_key($1, $2))`,
)

/**
 * Closes the cash of a day. The lock waits for entries that are being written, so the sums are final.
 * @throws CASH_DAY_CLOSED, CASH_DAY_INCOMPLETE
 */
export async function closeCash(
  ctx: Ctx,
  day: string,
  { vendorId: requested }: Parsed<typeof close>['body'],
): Promise<CashClosing> {
  const vendorId = await requireVendorId(ctx, requested)
  await run(ctx.db, lockSql, [vendorId, day])
  const { closed, missing, sums } = await readClosing(ctx, vendorId, day)
  if (closed) throw new AppError('CASH_DAY_CLOSED')
  if (!missing.begun || missing.openOrders > 0 || missing.cash.length > 0)
    throw new AppError('CASH_DAY_INCOMPLETE', missing)
  await ctx.db.insert(cashClosings).values({ vendorId, day, closedBy: userOf(ctx).id, closedAt: ctx.now })
  await emit(ctx, {
    name: 'cash.closed',
    action: 'closed',
    resource: 'cash-day',
    id: day,
    vendorId,
    changes: [{ field: 'handedOver', from: null, to: sums.handedOver }],
  })
  return readClosing(ctx, vendorId, day)
}

/** @throws CASH_DAY_OPEN if the day is not closed */
export async function reopenCash(
  ctx: Ctx,
  day: string,
  { vendorId: requested, reason }: Parsed<typeof reopen>['body'],
): Promise<CashClosing> {
  const vendorId = await requireVendorId(ctx, requested)
  const reopened = await ctx.db
    .update(cashClosings)
    .set({ reopenedBy: userOf(ctx).id, reopenedAt: ctx.now, reopenReason: reason })
    .where(and(eq(cashClosings.vendorId, vendorId), eq(cashClosings.day, day), isNull(cashClosings.reopenedAt)))
    .returning({ id: cashClosings.id })
  if (reopened.length === 0) throw new AppError('CASH_DAY_OPEN')
  await emit(ctx, {
    name: 'cash.reopened',
    action: 'reopened',
    resource: 'cash-day',
    id: day,
    vendorId,
    changes: [{ field: 'reason', from: null, to: reason }],
  })
  return readClosing(ctx, vendorId, day)
}
