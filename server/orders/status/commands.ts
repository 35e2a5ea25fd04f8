import { isDeepStrictEqual } from 'node:util'
import { type DeliverySlot, promiseFields, sameSlot, slotOf, slotOn } from '@qatra/contract/calendar/slot'
import type { Parsed } from '@qatra/contract/endpoint'
import { fils, toBhd } from '@qatra/contract/lib/money'
import type { AdminOrderDetail, changeOrderStatus } from '@qatra/contract/orders/admin'
import { changesOrder } from '@qatra/contract/orders/bottles'
import { paymentAfter } from '@qatra/contract/orders/cash'
import type { HistoryAction, OrderField } from '@qatra/contract/orders/history'
import {
  canPaymentBecome,
  isClosed,
  type OrderStatus,
  openStatuses,
  type PaymentStatus,
  paymentStatusOf,
} from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { requireKeptSlot } from '../../calendar/queries.ts'
import { listOffers } from '../../cart/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { type Change, type EmitContext, emit } from '../../jobs/domain-events.ts'
import type { Events } from '../../jobs/events.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { readBusiness } from '../../vendors/queries.ts'
import { requireAdminOrder } from '../admin/queries.ts'
import { writeItems } from '../editing/commands.ts'
import { isReportOfEarlier } from '../payment/door.commands.ts'
import { bookReport, requireReport, settleReport } from '../payment/report.commands.ts'
import { bookSale } from '../payment/sale.commands.ts'
import { managedBy, ownedBy } from '../policy.ts'
import { lockOrderRow, type OrderItemRow, type OrderRow, readBill, requireOrder, requireVersion } from '../queries.ts'
import { creditReceipt } from '../receipt/commands.ts'
import { findReceipt, listItems } from '../receipt/queries.ts'
import { saveRun } from '../run/commands.ts'
import { orders } from '../tables.ts'
import { postDelivered, postTakenBack, readReturned, requireInVan, requireTypes } from './bottles.commands.ts'
import { payBackDeposits, splitRefunds } from './refund.commands.ts'
import {
  type HandedOver,
  linesOf,
  type QuantityChange,
  requireReported,
  requireSameDelivery,
  requireSome,
  restoredQuantities,
} from './partial-rules.ts'
import { isCancellable, isUsual, transitionError } from './rules.ts'

/** Gives the receipt its number, in the transaction of the status change. */
export type GiveNumber = (ctx: Ctx, orderId: string) => Promise<void>

type StatusInput = Parsed<typeof changeOrderStatus>['body']
type DeliveryInput = Omit<StatusInput, 'status' | 'promisedDate'>

/**
 * Changes an order's status for drivers, staff and bulk changes. A repeated request changes nothing, but a driver's
 * report after that of staff still books the cash if the order is not paid and both say the same about the items.
 */
export async function changeStatus(
  ctx: Ctx,
  typedId: string,
  { status, promisedDate, ...input }: StatusInput,
  giveNumber: GiveNumber,
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (status === 'delivered') await deliver(ctx, order, input, giveNumber)
  else await moveOrder(ctx, order, { to: status, promisedDate, notes: input.notes, version: input.version })
  return requireAdminOrder(ctx, order.id)
}

/** Cancels an own order within an hour, for the customer and the bot. */
export async function cancelOrder(ctx: Ctx, typedId: string, reason: string | null | undefined): Promise<Order> {
  const order = await lockOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (!isCancellable(ctx.actor, order, ctx.now)) throw new AppError('CANCELLATION_CLOSED')
  await writeStatus(ctx, order, { event: 'order.cancelled', to: 'cancelled', notes: reason })
  return requireOrder(ctx, order.id)
}

/**
 * Cancels a person's open orders before the account is erased.
 * @throws ORDERS_ON_THE_WAY if an order is shipped, since its delivery needs the address and cash is due
 */
export async function cancelOrdersBeforeErasure(ctx: Ctx, userId: number): Promise<void> {
  const open = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), inArray(orders.status, openStatuses)))
    .orderBy(asc(orders.id))
    .for('update')
  const shipped = open.filter(({ status }) => status === 'shipped')
  if (shipped.length > 0) throw new AppError('ORDERS_ON_THE_WAY', { orderIds: shipped.map(({ id }) => id) })
  for (const order of open)
    await writeStatus(ctx, order, {
      event: 'order.cancelled',
      to: 'cancelled',
      changes: [{ field: 'erasure', from: null, to: 'account' }],
    })
}

async function deliver(
  ctx: Ctx,
  order: OrderRow,
  { delivered, added, bottles, notes, version, refund, ...input }: DeliveryInput,
  giveNumber: GiveNumber,
): Promise<void> {
  const { money, refunds } = await splitRefunds(ctx, order, { ...input, refund })
  const isRepeated = order.status === 'delivered'
  const isCounted = delivered !== undefined || added !== undefined
  const items = await listItems(ctx.db, order.id)
  const reportedOf = () => requireReported(ctx, items, { delivered, added, bottles })
  if (isRepeated) requireSameDelivery(items, reportedOf(), await readReturned(ctx, order.id))
  if (isRepeated && !money.cash && !money.payments) return
  const report = await requireReport(ctx, order, { ...money, notes })
  // The same report again, after its delivery was taken back, delivers and books nothing.
  if (await isReportOfEarlier(ctx, order.id, { ...report, parts: [...report.parts, ...refunds] })) return
  // It was counted by the order's items of that time.
  if (!isRepeated && isCounted) requireVersion(order, version)
  const quantities = isRepeated
    ? null
    : await requireHandedOver(ctx, order, { rows: items, reported: reportedOf(), refund })
  if (quantities)
    await requireInVan(ctx, order, { lines: quantities.lines, rows: items, deliveredAt: report.happenedAt })
  const settled = await settleReport(ctx, order, report, quantities?.totals)
  const { happenedAt: deliveredAt } = report
  const { paymentStatus } = settled
  if (!isRepeated)
    await moveOrder(ctx, order, { to: 'delivered', deliveredAt, paymentStatus, quantities, notes, version })
  const booked = await bookReport(ctx, order, report, settled)
  // What a driver took is booked whatever the office has changed since.
  if (isRepeated && !report.isOwn && booked !== 0) requireVersion(order, version)
  if (order.assignedDriverId !== null) await saveRun(ctx, order.assignedDriverId)
  if (isRepeated) return
  const counted = { lines: quantities?.lines ?? linesOf(items), counts: bottles ?? [], deliveredAt }
  const refunded = refund === 'now' ? await payBackDeposits(ctx, order, { ...counted, refunds }) : []
  await postDelivered(ctx, order, { ...counted, refunded })
  // A number from before the delivery, of an earlier version, is not that of what was delivered.
  if (await findReceipt(ctx.db, order.id)) await creditReceipt(ctx.db, order, items)
  await giveNumber(ctx, order.id)
}

interface Handed {
  rows: readonly OrderItemRow[]
  reported: HandedOver
  refund: StatusInput['refund']
}

async function requireHandedOver(ctx: Ctx, order: OrderRow, { rows, reported, refund }: Handed) {
  const productIds = reported.added.map(({ productId }) => productId)
  const { bottles } = reported
  if (bottles.length > 0) await requireTypes(ctx, order, { rows, bottles })
  const isChange = bottles.length > 0 && changesOrder((await readBusiness(ctx, order.vendorId)).bottleDifference, order)
  const counts = isChange ? bottles : []
  return requireSome(ctx, order, { rows, reported, counts, refund, offers: await listOffers(ctx, productIds) })
}

interface StatusChange {
  to: OrderStatus
  deliveredAt?: Date
  paymentStatus?: PaymentStatus
  /** What a delivery changes in the items. */
  quantities?: QuantityChange | null
  notes?: string | null | undefined
}

/**
 * Changes the status, and the payment with it; does nothing if the order has the status already.
 * @throws FORBIDDEN if the role can never set the status, ILLEGAL_TRANSITION from the current status, ORDER_CLOSED if it
 * would reopen an order of an erased customer
 */
async function moveOrder(
  ctx: Ctx,
  order: OrderRow,
  { version, promisedDate, ...change }: StatusChange & Pick<StatusInput, 'version' | 'promisedDate'>,
): Promise<void> {
  const { to, paymentStatus, notes } = change
  const from = order.status
  if (from === to) return
  const facts = { ...order, processing: (await readBusiness(ctx, order.vendorId)).processing }
  const error = transitionError(ctx.actor, facts, to, notes)
  if (error === 'FORBIDDEN') throw new AppError(error)
  requireVersion(order, version)
  if (error === 'ORDER_CLOSED') throw new AppError(error, { status: from })
  if (error === 'ILLEGAL_TRANSITION') throw new AppError(error, { from, to })
  if (!isUsual(facts, to) && !notes) throw invalidFields(ctx, { notes: 'validation.required' })
  const paid = paymentStatusOf(order.paymentStatus)
  const isPaymentChange = paymentStatus !== undefined && paymentStatus !== paid
  if (isPaymentChange && !canPaymentBecome(paid, paymentStatus))
    throw new AppError('ILLEGAL_TRANSITION', { from: paid, to: paymentStatus })
  if (from === 'delivered') return takeBack(ctx, order, change)
  const own = slotOf(order)
  const chosen = promisedDate === undefined ? own : slotOn(promisedDate)
  const slot = isClosed(from) && !isClosed(to) ? await requireKeptSlot(ctx, order, chosen) : own
  await writeStatus(ctx, order, {
    ...change,
    ...(!sameSlot(slot, own) && { promise: { slot, announced: null } }),
    event: 'order.status-changed',
    changes: isPaymentChange ? [{ field: 'paymentStatus', from: paid, to: paymentStatus }] : [],
  })
}

/** A delivery that is taken back has delivered nothing: its invoice is credited; what was paid for it stays paid. */
async function takeBack(ctx: Ctx, order: OrderRow, change: StatusChange): Promise<void> {
  const items = await listItems(ctx.db, order.id)
  const quantities = restoredQuantities(order, items)
  const { received } = await readBill(ctx, order.id)
  const paid = paymentStatusOf(order.paymentStatus)
  const paymentStatus = paymentAfter(paid, { total: quantities?.totals.total ?? order.total, received })
  await writeStatus(ctx, order, {
    ...change,
    quantities,
    paymentStatus,
    event: 'order.status-changed',
    changes: paymentStatus === paid ? [] : [{ field: 'paymentStatus', from: paid, to: paymentStatus }],
  })
  await postTakenBack(ctx, order)
  await creditReceipt(ctx.db, order, items)
}

type StatusEvent =
  | { event: 'order.status-changed' | 'order.cancelled'; mover?: undefined }
  | { event: 'order.rescheduled'; mover: Events['order.rescheduled']['mover'] }

interface StatusWrite extends StatusChange {
  /** In the history. Default: `updated`. */
  action?: HistoryAction
  /** Changes to record besides the status. */
  changes?: Change<OrderField>[]
  /** The new slot; `announced` is the one that the customer knows, if the new one is still to be announced. */
  promise?: { slot: DeliverySlot; announced: DeliverySlot | null }
}

/** A request, or a job that names the authors. */
export type WriteContext = EmitContext & Pick<Ctx, 'now'>

/** The only writer of `status`, with quantities, sale, history and event. The caller has locked the order and checked the rules. */
export async function writeStatus(
  ctx: WriteContext,
  order: OrderRow,
  { event, mover, action = 'updated', to, quantities, changes = [], notes, ...more }: StatusWrite & StatusEvent,
): Promise<void> {
  const { deliveredAt, paymentStatus, promise } = more
  const version = order.version + 1
  if (quantities) await writeItems(ctx, order.id, quantities)
  await ctx.db
    .update(orders)
    .set({
      status: to,
      deliveredAt: deliveredAt ?? null,
      ...quantities?.totals,
      ...(paymentStatus && { paymentStatus }),
      ...(promise && { ...promiseFields(promise.slot), announcedDate: promise.announced?.date ?? null }),
      version,
      updatedAt: ctx.now,
    })
    .where(eq(orders.id, order.id))
  const total = quantities?.totals.total ?? order.total
  await bookSale(ctx, order, { status: to, total, version, happenedAt: deliveredAt })
  await emit(ctx, {
    name: event,
    action,
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [
      ...(to === order.status ? [] : [{ field: 'status', from: order.status, to } as const]),
      ...(quantities ? quantityChanges(order, quantities) : []),
      ...changes,
      ...(promise ? [{ field: 'promisedDate', from: order.promisedDate, to: promise.slot.date } as const] : []),
    ],
    notes: notes || null,
    payload: { ...(mover && { mover }), to, version },
  })
}

const quantityChanges = (order: OrderRow, { before, after, totals }: QuantityChange): Change<OrderField>[] => [
  ...(isDeepStrictEqual(before, after) ? [] : [{ field: 'items', from: before, to: after } as const]),
  ...(totals.deposit === order.deposit
    ? []
    : [{ field: 'deposit', from: toBhd(fils(order.deposit)), to: toBhd(totals.deposit) } as const]),
  ...(totals.total === order.total
    ? []
    : [{ field: 'total', from: toBhd(fils(order.total)), to: toBhd(totals.total) } as const]),
]
