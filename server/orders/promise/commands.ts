import type { Parsed } from '@qatra/contract/endpoint'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import type { changePromise } from '@qatra/contract/orders/delivery'
import { allowsAction } from '@qatra/contract/orders/order-status'
import type { Order, rescheduleOrder } from '@qatra/contract/orders/orders'
import { readDeliveryTerms } from '../../calendar/delivery-days.queries.ts'
import { daysOf, staffDaysOf } from '../../calendar/delivery-days.ts'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { requireAdminOrder } from '../admin/order.queries.ts'
import { hasOpenAttempt } from '../attempts.queries.ts'
import { managedBy, ownedBy } from '../policy.ts'
import { countMoves, lockOrderRow, type OrderRow, requireOrder, requireVersion } from '../queries.ts'
import { type WriteContext, writeStatus } from '../status/commands.ts'
import { isReschedulable } from '../status/rules.ts'

type CustomerInput = Parsed<typeof rescheduleOrder>['body']
type OfficeInput = Parsed<typeof changePromise>['body']

/** Moves of one order that a customer can make. Each that stays is announced by a message that the shop pays for. */
const mostOwnMoves = 10

/** Who moved a delivery, which decides who is notified. */
export type Mover = 'customer' | 'staff' | 'closure'

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
  if (order.promisedDate === date) return requireOrder(ctx, order.id)
  requireVersion(order, version)
  const { own } = await countMoves(ctx, order.id)
  if (own >= mostOwnMoves) throw new AppError('RESCHEDULE_CLOSED', { status: order.status, mostMoves: mostOwnMoves })
  const terms = await readDeliveryTerms(ctx, order.vendorId)
  requireDay(asksForDay ? staffDaysOf(terms, ctx.now) : daysOf(terms, ctx.now), date)
  await movePromise(ctx, order, { date, mover: 'customer', isAnnounced })
  return requireOrder(ctx, order.id)
}

/** Moves a delivery for staff, until it is delivered or cancelled. */
export async function changePromisedDate(
  ctx: Ctx,
  typedId: string,
  { date, version, reason }: OfficeInput,
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (!allowsAction(order.status, 'staff', 'reschedule')) throw new AppError('ORDER_CLOSED', { status: order.status })
  if (order.promisedDate === date) return requireAdminOrder(ctx, order.id)
  requireVersion(order, version)
  requireDay(staffDaysOf(await readDeliveryTerms(ctx, order.vendorId), ctx.now), date)
  await movePromise(ctx, order, { date, mover: 'staff', notes: reason })
  return requireAdminOrder(ctx, order.id)
}

function requireDay(days: readonly string[], date: string): void {
  if (!days.includes(date)) throw new AppError('DATE_NOT_AVAILABLE', { days })
}

interface Move {
  date: string
  mover: Mover
  /** The customer knows the new day already. */
  isAnnounced?: boolean
  notes?: string | null | undefined
}

/**
 * Writes the new day of an order that the caller has locked. A shipped order goes back to in-progress. It keeps its
 * driver, so that a delivery that the driver reports meanwhile is still booked; the run of the old day loses it, since a
 * run is made of the orders of its day.
 */
export async function movePromise(
  ctx: WriteContext,
  order: OrderRow,
  { date, mover, isAnnounced = false, notes }: Move,
): Promise<void> {
  const known = order.announcedDate ?? order.promisedDate
  await writeStatus(ctx, order, {
    event: 'order.rescheduled',
    action: mover === 'closure' ? 'day-closed' : 'updated',
    to: order.status === 'shipped' ? 'in-progress' : order.status,
    promise: { promisedDate: date, announcedDate: isAnnounced || known === date ? null : known },
    changes: [{ field: 'promisedDate', from: order.promisedDate, to: date }],
    notes: notes ?? null,
    payload: { mover },
  })
}
