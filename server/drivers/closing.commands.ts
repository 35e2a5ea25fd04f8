import type { CashClosing, closeCash as close, reopenCash as reopen } from '@qatra/contract/cash-closing'
import type { Parsed } from '@qatra/contract/endpoint'
import type { Ctx } from '../database/context.ts'
import { closeDay, lockDay, reopenDay } from '../ledger/commands.ts'
import { canClose } from '../ledger/rules.ts'
import { AppError } from '../lib/errors.ts'
import { readClosing, requireVendorId } from './closing.queries.ts'

/** Closes the cash of a day. @throws CASH_DAY_CLOSED, CASH_DAY_INCOMPLETE, DAY_NOT_EXPLAINED */
export async function closeCash(
  ctx: Ctx,
  day: string,
  { vendorId: requested }: Parsed<typeof close>['body'],
): Promise<CashClosing> {
  const vendorId = await requireVendorId(ctx, requested)
  await lockDay(ctx, vendorId, day)
  const { closed, missing, equation, drivers } = await readClosing(ctx, vendorId, day)
  if (closed) throw new AppError('CASH_DAY_CLOSED')
  if (!canClose(missing)) throw new AppError('CASH_DAY_INCOMPLETE', missing)
  // Two orders that cancel out are as little explained as one.
  if (equation.unexplainedOrders.length > 0)
    throw new AppError('DAY_NOT_EXPLAINED', { unexplained: equation.unexplained })
  const driverDays = drivers.map(({ driver: { id }, stops, cash: { shortage: _, ...cash } }) => ({ id, stops, cash }))
  await closeDay(ctx, vendorId, day, { equation, driverDays })
  return readClosing(ctx, vendorId, day)
}

/** @throws CASH_DAY_OPEN if the day is not closed */
export async function reopenCash(
  ctx: Ctx,
  day: string,
  { vendorId: requested, reason }: Parsed<typeof reopen>['body'],
): Promise<CashClosing> {
  const vendorId = await requireVendorId(ctx, requested)
  await reopenDay(ctx, vendorId, day, reason)
  return readClosing(ctx, vendorId, day)
}
