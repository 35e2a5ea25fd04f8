import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, firstOpenSlot, sameSlot, slotOf, slotOn } from '@qatra/contract/calendar/slot'
import type { Parsed } from '@qatra/contract/endpoint'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import type { changePromise } from '@qatra/contract/orders/delivery'
import { allowsAction, openStatuses, unshipped } from '@qatra/contract/orders/order-status'
import type { Order, rescheduleOrder } from '@qatra/contract/orders/orders'
import { and, asc, desc, eq, gt, inArray, isNotNull, ne } from 'drizzle-orm'
import type pg from 'pg'
import { closedIn, type DeliveryTerms, requireOffered, slotsFor, staffSlotsFor } from '../../calendar/delivery-days.ts'
import { readDeliveryTerms } from '../../calendar/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder, type JobContext, runJobTransaction } from '../../database/transaction.ts'
import { emit } from '../../jobs/domain-events.ts'
import type { Events } from '../../jobs/events.ts'
import { AppError } from '../../lib/errors.ts'
import { readBusiness } from '../../vendors/queries.ts'
import { requireAdminOrder } from '../admin/queries.ts'
import { hasOpenAttempt, hasUntriedAttempt } from '../attempts.queries.ts'
import { managedBy, ownedBy } from '../policy.ts'
import { countMoves, lockOrderRow, type OrderRow, requireOrder, requireVersion } from '../queries.ts'
import { type WriteContext, writeStatus } from '../status/commands.ts'
import { isReschedulable } from '../status/rules.ts'
import { orderAuditHistory as history, orders } from '../tables.ts'

type CustomerInput = Parsed<typeof rescheduleOrder>['body']
type OfficeInput = Parsed<typeof changePromise>['body']

/** Moves of one order that a customer can make. Each that stays is announced by a message that the shop pays for. */
const mostOwnMoves = 10

/** Who moved a delivery, which decides who is notified. */
export type Mover = Events['order.rescheduled']['mover']

/**
 * Moves an own delivery, for the customer and the bot, whose answer announces the day itself. After a failed attempt the
 * cut-off does not apply: the order is loaded already.
 */
export async function rescheduleOwnOrder(
  ctx: Ctx,
  typedId: string,
  { date, version }: CustomerInput,
  { isAnnounced = false } = {},
): Promise<Order> {
  const order = await lockOrderRow(ctx, typedId, ownedBy(ctx.actor))
  const asksForDay = await hasOpenAttempt(ctx, order.id)
  if (!isReschedulable(ctx.actor, { ...order, asksForDay }))
    throw new AppError('RESCHEDULE_CLOSED', { status: order.status })
  const slot = slotOn(date)
  if (sameSlot(slotOf(order), slot)) {
    if (await hasUntriedAttempt(ctx, order.id)) await confirmDay(ctx, order)
    return requireOrder(ctx, order.id)
  }
  requireVersion(order, version)
  const { own } = await countMoves(ctx, order.id)
  if (own >= mostOwnMoves) throw new AppError('RESCHEDULE_CLOSED', { status: order.status, mostMoves: mostOwnMoves })
  const terms = await readDeliveryTerms(ctx, order.vendorId)
  requireOffered(asksForDay ? staffSlotsFor(terms, ctx.now) : slotsFor(terms, ctx.now), slot)
  await movePromise(ctx, order, { slot, mover: 'customer', isAnnounced })
  return requireOrder(ctx, order.id)
}

/** Records that the customer agrees to the day that the order has since a failed attempt. */
const confirmDay = (ctx: Ctx, { id, vendorId, promisedDate }: OrderRow) =>
  emit(ctx, {
    name: 'order.day-confirmed',
    action: 'updated',
    resource: 'order',
    id,
    vendorId,
    changes: [{ field: 'dayConfirmed', from: null, to: promisedDate }],
  })

/** Moves a delivery for staff, until it is delivered or cancelled. */
export async function changePromisedDate(
  ctx: Ctx,
  typedId: string,
  { date, version, reason }: OfficeInput,
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (!allowsAction(order.status, 'staff', 'reschedule')) throw new AppError('ORDER_CLOSED', { status: order.status })
  const slot = slotOn(date)
  if (sameSlot(slotOf(order), slot)) return requireAdminOrder(ctx, order.id)
  requireVersion(order, version)
  requireOffered(staffSlotsFor(await readDeliveryTerms(ctx, order.vendorId), ctx.now), slot)
  await movePromise(ctx, order, { slot, mover: 'staff', notes: reason })
  return requireAdminOrder(ctx, order.id)
}

interface Move {
  slot: DeliverySlot
  mover: Mover
  /** The customer knows the new slot already. */
  isAnnounced?: boolean
  notes?: string | null | undefined
}

/**
 * Writes the new slot of an order that the caller has locked. A shipped order is again as before it was shipped. It keeps its
 * driver, so that a delivery that the driver reports meanwhile is still booked; the run of the old day loses it, since a
 * run is made of the orders of its day.
 */
export async function movePromise(
  ctx: WriteContext,
  order: OrderRow,
  { slot, mover, isAnnounced = false, notes }: Move,
): Promise<void> {
  const known = order.announcedDate === null ? slotOf(order) : slotOn(order.announcedDate)
  await writeStatus(ctx, order, {
    event: 'order.rescheduled',
    action: mover === 'closure' ? 'day-closed' : 'updated',
    to: order.status === 'shipped' ? unshipped(await readBusiness(ctx, order.vendorId)) : order.status,
    promise: { slot, announced: isAnnounced || sameSlot(known, slot) ? null : known },
    notes: notes ?? null,
    mover,
  })
}

/**
 * The open orders of this order's customer whose new day was not announced yet; from now on it counts as announced. Two
 * jobs of one customer run one after the other, and the second finds nothing.
 */
export async function claimUnannounced({ db }: JobContext, orderId: string): Promise<OrderRow[]> {
  const customer = db.select({ id: orders.userId }).from(orders).where(eq(orders.id, orderId))
  const moved = await db
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.userId, customer),
        isNotNull(orders.announcedDate),
        ne(orders.announcedDate, orders.promisedDate),
        inArray(orders.status, openStatuses),
      ),
    )
    // By ascending id, like all code that locks several orders.
    .orderBy(asc(orders.id))
    .for('update')
  const ids = moved.map(({ id }) => id)
  if (ids.length > 0) await db.update(orders).set({ announcedDate: null }).where(inArray(orders.id, ids))
  return moved
}

/**
 * The customer asks staff for a call about an own open order. Repeated requests change nothing until the next
 * attempt or change of status.
 */
export async function requestCall(ctx: Ctx, typedId: string): Promise<void> {
  const order = await lockOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (!allowsAction(order.status, 'bot', 'rescheduleAfterAttempt'))
    throw new AppError('RESCHEDULE_CLOSED', { status: order.status })
  const [last] = await ctx.db
    .select({ field: history.fieldChanged })
    .from(history)
    .where(and(eq(history.orderId, order.id), inArray(history.fieldChanged, ['status', 'attempt', 'callRequest'])))
    .orderBy(desc(history.id))
    .limit(1)
  if (last?.field === 'callRequest') return
  await emit(ctx, {
    name: 'order.call-requested',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'callRequest', from: null, to: 'requested' }],
  })
}

type DayClosure = Events['calendar.day-closed']

/** Orders read in one transaction. */
const BATCH = 100

const nowSql = statement('closed-day-now', 'select now()')

/**
 * Moves all open orders of a closed day to the next open day. Idempotent: a repeated run finds only the orders that are
 * still there, and none if the day has been opened again.
 */
export async function moveOrdersOfClosedDay(pool: pg.Pool, closed: DayClosure): Promise<void> {
  let after: string | null = ''
  while (after !== null) {
    const from: string = after
    after = await runJobTransaction(pool, (ctx) => moveBatch(ctx, closed, from))
  }
}

/** Reads the orders after an id. @returns the last id of a full batch; null if no order is left */
async function moveBatch(
  { db, afterCommit }: JobContext,
  { day, vendorId, by, onBehalfOf }: DayClosure,
  after: string,
): Promise<string | null> {
  const found = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.promisedDate, day),
        gt(orders.id, after),
        inArray(orders.status, openStatuses),
        vendorId === null ? undefined : eq(orders.vendorId, vendorId),
      ),
    )
    // By ascending id, like all code that locks several orders.
    .orderBy(asc(orders.id))
    .limit(BATCH)
    .for('update')
  const [{ now } = { now: new Date() }] = await run<{ now: Date }>(db, nowSql)
  const vendorIds = [...new Set(found.map((order) => order.vendorId))]
  // The job of a day that was closed shortly before midnight may run after it.
  const terms = await allInOrder(vendorIds.map((id) => readDeliveryTerms({ db }, id, day)))
  const nextSlots = new Map(vendorIds.map((id, i) => [id, nextSlot(terms[i], day, bahrainDate(now))]))
  const ctx = {
    db,
    afterCommit,
    now,
    authors: { changedBy: by, onBehalfOf },
    client: { ip: null, userAgent: null },
  }
  const moves = found.flatMap((order) => {
    const slot = nextSlots.get(order.vendorId) ?? null
    return slot === null ? [] : [movePromise(ctx, order, { slot, mover: 'closure' })]
  })
  await allInOrder(moves)
  return found[BATCH - 1]?.id ?? null
}

/** Null if the day is open again. */
function nextSlot(terms: DeliveryTerms | undefined, day: string, today: string): DeliverySlot | null {
  if (!terms?.closedDays.includes(day)) return null
  return firstOpenSlot(addDays(day > today ? day : today, 1), closedIn(terms))
}
