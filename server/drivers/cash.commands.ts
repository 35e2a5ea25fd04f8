import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { CashDay, CashKind, writeCash as write } from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fromBhd } from '@qatra/contract/lib/money'
import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { authorsOf } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { reportedTime } from '../lib/reported-time.ts'
import { managedBy } from '../orders/policy.ts'
import { lockOrderRow, type OrderRow, readBill } from '../orders/queries.ts'
import { readCashDay } from './cash.queries.ts'
import { requireDriver } from './drivers.queries.ts'
import { canManageCash } from './policy.ts'
import { cashEntries } from './tables.ts'

interface Entry {
  vendorId: number
  driverId: number
  day: string
  kind: CashKind
  amount: Fils
  orderId: string | null
  notes: string | null
  key: string
  happenedAt: Date
  /** Part of collected cash that the order cost. Kept, since total and payments of the order can change later. */
  due?: Fils
  /** Number of the order's delivery, from 1; a reverted order can be delivered again. */
  delivery?: number
}

/**
 * Writes an entry once, for repeated and concurrent requests: the key is unique for each delivery, and so is the cash of
 * a delivery. @returns whether it was written now @throws IDEMPOTENCY_KEY_REUSED if the key has another entry
 */
async function writeEntry(ctx: Ctx, entry: Entry): Promise<boolean> {
  const { changedBy, onBehalfOf } = authorsOf(ctx)
  const written = await ctx.db
    .insert(cashEntries)
    .values({ ...entry, createdBy: changedBy, onBehalfOf })
    .onConflictDoNothing()
    .returning({ id: cashEntries.id })
  if (written.length > 0) return true
  await isRepeatedEntry(ctx, entry)
  return false
}

/** Whether the request repeats an entry that is written. @throws IDEMPOTENCY_KEY_REUSED if the key has another entry */
async function isRepeatedEntry({ db }: Ctx, { driverId, key, delivery = 1, ...entry }: Entry): Promise<boolean> {
  const [known] = await db
    .select()
    .from(cashEntries)
    .where(and(eq(cashEntries.driverId, driverId), eq(cashEntries.key, key), eq(cashEntries.delivery, delivery)))
  if (known && (known.kind !== entry.kind || known.orderId !== entry.orderId || known.amount !== entry.amount))
    throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return known !== undefined
}

const openSql = statement('cash-day-open', 'select cash_day_is_open($1, $2) as "isOpen"')

/** Whether the day's cash is open; it stays so until the transaction ends. */
async function isOpenDay({ db }: Ctx, vendorId: number, day: string): Promise<boolean> {
  const [row] = await run<{ isOpen: boolean }>(db, openSql, [vendorId, day])
  return row?.isOpen ?? false
}

const firstOpenSql = statement('cash-day-first-open', 'select first_open_cash_day($1, $2)::text as day')

/** Cash that is reported after its day was closed belongs to the next open day; it stays open until the transaction ends. */
async function firstOpenCashDay({ db }: Ctx, vendorId: number, from: string): Promise<string> {
  const [row] = await run<{ day: string }>(db, firstOpenSql, [vendorId, from])
  return row?.day ?? from
}

const deliveriesSql = statement(
  'order-deliveries',
  `select count(*)::int as count from order_audit_history
   where order_id = $1 and field_changed = 'status' and new_value = 'delivered'`,
)

/** The number of the order's last delivery. */
async function deliveryOf({ db }: Ctx, orderId: string): Promise<number> {
  const [found] = await run<{ count: number }>(db, deliveriesSql, [orderId])
  return Math.max(1, found?.count ?? 1)
}

/** Whether the cash of the order's last delivery is booked. */
export async function isCollected(ctx: Ctx, orderId: string): Promise<boolean> {
  const delivery = await deliveryOf(ctx, orderId)
  const { orderId: ofOrder, kind, delivery: ofDelivery } = cashEntries
  const booked = and(eq(ofOrder, orderId), eq(kind, 'collected'), eq(ofDelivery, delivery))
  return (await ctx.db.$count(cashEntries, booked)) > 0
}

interface Collected {
  amount: Fils
  key?: string | undefined
  happenedAt: Date
  day?: string
  notes?: string | null
}

/**
 * Books the cash a driver collected, once per delivery; on a later day if its own is closed. The caller has locked the order.
 * @returns false if it was already booked
 */
export async function bookCollected(
  ctx: Ctx,
  order: OrderRow,
  driverId: number,
  { amount, key, happenedAt, day = bahrainDate(happenedAt), notes = null }: Collected,
): Promise<boolean> {
  const delivery = await deliveryOf(ctx, order.id)
  const { total, received } = await readBill(ctx, order.id)
  return writeEntry(ctx, {
    vendorId: order.vendorId,
    driverId,
    orderId: order.id,
    kind: 'collected',
    key: key ?? `delivered:${order.id}`,
    amount,
    due: Math.min(amount, Math.max(0, total - received)) as Fils, // a difference of fils
    day: await firstOpenCashDay(ctx, order.vendorId, day),
    happenedAt,
    notes,
    delivery,
  })
}

/** @throws FORBIDDEN if a driver would hand over to himself or correct his own cash */
export async function writeCash(
  ctx: Ctx,
  driverId: number,
  { kind, amount, orderId, notes, key, date, at }: Parsed<typeof write>['body'],
): Promise<CashDay> {
  const driver = await requireDriver(ctx, driverId)
  const isAdmin = canManageCash(ctx.actor, driver.vendorId)
  if (!isAdmin && (kind === 'handed-over' || kind === 'correction')) throw new AppError('FORBIDDEN')
  const order = orderId ? await lockOrderRow(ctx, orderId, managedBy(ctx.actor)) : null
  if (order && order.assignedDriverId !== driver.id) throw new AppError('ORDER_NOT_FOUND')
  if (kind === 'collected' && order?.status !== 'delivered') throw new AppError('ORDER_NOT_DELIVERED')
  const happenedAt = reportedTime(at, ctx.now, order?.createdAt)
  const reportedDay = bahrainDate(happenedAt)
  const line = {
    // Nothing is booked on a future day.
    day: date !== undefined && date < reportedDay ? date : reportedDay,
    amount: fromBhd(amount),
    notes: notes || null,
    key,
    happenedAt,
  }
  if (kind === 'collected' && order) await bookCollected(ctx, order, driver.id, line)
  else {
    const entry = { ...line, kind, vendorId: driver.vendorId, driverId: driver.id, orderId: order?.id ?? null }
    if (await isOpenDay(ctx, driver.vendorId, line.day)) await writeEntry(ctx, entry)
    else if (!(await isRepeatedEntry(ctx, entry))) throw new AppError('CASH_DAY_CLOSED')
  }
  return readCashDay(ctx, driver, date)
}
