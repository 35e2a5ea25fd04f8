import { bahrainDate } from '@qatra/contract/calendar'
import type { CashDay, CashKind, writeCash as write } from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fromBhd } from '@qatra/contract/money'
import { and, eq } from 'drizzle-orm'
import { managedBy } from '../orders/policy.ts'
import { requireOrderRow } from '../orders/queries.ts'
import type { Ctx } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { authorsOf } from '../platform/events.ts'
import { readCashDay } from './cash.queries.ts'
import { requireDriver } from './drivers.queries.ts'
import { runsTheDay } from './policy.ts'
import { cashEntries } from './tables.ts'
import { momentOf } from './told.ts'

export interface Entry {
  vendorId: number
  driverId: number
  day: string
  kind: CashKind
  amount: Fils
  orderId: string | null
  notes: string | null
  key: string
  happenedAt: Date
}

/**
 * Writes a line once, however often and by however many devices it is told: the key and, for what was taken at a door,
 * the order are unique.
 * @throws IDEMPOTENCY_KEY_REUSED where the key stands for something else already
 */
export async function writeEntry(ctx: Ctx, entry: Entry): Promise<void> {
  const { changedBy, onBehalfOf } = authorsOf(ctx)
  const written = await ctx.db
    .insert(cashEntries)
    .values({ ...entry, createdBy: changedBy, onBehalfOf })
    .onConflictDoNothing()
    .returning({ id: cashEntries.id })
  if (written.length > 0) return
  const [known] = await ctx.db
    .select()
    .from(cashEntries)
    .where(and(eq(cashEntries.driverId, entry.driverId), eq(cashEntries.key, entry.key)))
  const isSame =
    !known || (known.kind === entry.kind && known.orderId === entry.orderId && known.amount === entry.amount)
  if (!isSame) throw new AppError('IDEMPOTENCY_KEY_REUSED')
}

/** @throws FORBIDDEN where a driver would hand over to himself or put his own cash right */
export async function writeCash(
  ctx: Ctx,
  driverId: number,
  { kind, amount, orderId, notes, key, date, at }: Parsed<typeof write>['body'],
): Promise<CashDay> {
  const driver = await requireDriver(ctx, driverId)
  const isOffice = runsTheDay(ctx.actor, driver.vendorId)
  if (!isOffice && (kind === 'handed-over' || kind === 'correction')) throw new AppError('FORBIDDEN')
  const order = orderId ? await requireOrderRow(ctx, orderId, managedBy(ctx.actor)) : null
  if (order && order.assignedDriverId !== driver.id) throw new AppError('ORDER_NOT_FOUND')
  if (kind === 'collected' && order?.status !== 'delivered') throw new AppError('ORDER_NOT_DELIVERED')
  const happenedAt = momentOf(at, ctx.now, order?.createdAt)
  const told = bahrainDate(happenedAt)
  await writeEntry(ctx, {
    vendorId: driver.vendorId,
    driverId: driver.id,
    // Nothing is written into a day that has not come.
    day: date !== undefined && date < told ? date : told,
    kind,
    amount: fromBhd(amount),
    orderId: order?.id ?? null,
    notes: notes || null,
    key,
    happenedAt,
  })
  return readCashDay(ctx, driver, date)
}
