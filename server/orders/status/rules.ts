/** Pure rules of status changes: who can give an order which status, and what a delivery pays. */

import { type Fils, fils } from '@qatra/contract/lib/money'
import { type CashBill as Bill, type CashHolder, cashDue, isCashOpen, paymentAfter } from '@qatra/contract/orders/cash'
import {
  allowsAction,
  canBecome,
  isClosed,
  isStep,
  type OrderStatus,
  orderStatuses,
  type PaymentStatus,
  paymentStatusOf,
  type StepFacts,
  takenBackTo,
} from '@qatra/contract/orders/order-status'
import type { PaymentHolder } from '@qatra/contract/orders/payments'
import type { Actor } from '@qatra/contract/users/actor'
import { isAuthorized } from '@qatra/contract/users/permissions'

export interface StatusFacts {
  userId: number | null
  vendorId: number
  assignedDriverId: number | null
  status: OrderStatus
  phone: string
  createdAt: Date
}

/** The customer can cancel up to and including this many milliseconds after placing. */
export const CANCELLATION_MS = 3_600_000

export const isOwn = ({ user }: Actor, { userId }: Pick<StatusFacts, 'userId'>): boolean =>
  user !== null && userId === user.id

/** The customer cancels and edits an own order within the same hour. */
const isOpenToCustomer = (actor: Actor, order: StatusFacts, act: 'cancel' | 'items' | 'address', now: Date): boolean =>
  isOwn(actor, order) &&
  now.getTime() - order.createdAt.getTime() <= CANCELLATION_MS &&
  allowsAction(order.status, 'customer', act)

export const isCancellable = (actor: Actor, order: StatusFacts, now: Date): boolean =>
  isOpenToCustomer(actor, order, 'cancel', now)

export const canChangeOwnAddress = (actor: Actor, order: StatusFacts, now: Date): boolean =>
  isOpenToCustomer(actor, order, 'address', now)

/** A delivery can be rated for seven days, and the rating be changed. */
const RATING_MS = 7 * 86_400_000

export const isRatable = (actor: Actor, order: StatusFacts & { deliveredAt: Date | null }, now: Date): boolean =>
  isOwn(actor, order) &&
  actor.impersonator === null &&
  allowsAction(order.status, 'customer', 'rate') &&
  order.deliveredAt !== null &&
  now.getTime() - order.deliveredAt.getTime() <= RATING_MS

export type PaymentFacts = Pick<Bill, 'paymentStatus'>
export type BillFacts = PaymentFacts & { invoiceNumber: string | null }

export const isPaid = ({ paymentStatus }: PaymentFacts) => paymentStatusOf(paymentStatus) === 'paid'

/** A recorded payment fixes the total, and a valid invoice the lines: one from before copies were kept has no others. */
const isBillFixed = (order: BillFacts) => order.invoiceNumber !== null || isPaid(order)

export const canEditOwnItems = (actor: Actor, order: StatusFacts & BillFacts, now: Date): boolean =>
  isOpenToCustomer(actor, order, 'items', now) && !isBillFixed(order)

export const canStaffEditItems = (order: Pick<StatusFacts, 'status'> & BillFacts): boolean =>
  allowsAction(order.status, 'staff', 'items') && !isBillFixed(order)

/** Whether the customer can move the delivery: before it is shipped, or after a failed attempt. */
export const isReschedulable = (actor: Actor, order: StatusFacts & { asksForDay: boolean }): boolean =>
  isOwn(actor, order) &&
  allowsAction(order.status, 'customer', order.asksForDay ? 'rescheduleAfterAttempt' : 'reschedule')

/** Placeholder for the name, phone and address of an erased person. */
export const ERASED = '—'

/** Such an order has no address, so it cannot be reopened. */
const hasErasedCustomer = ({ phone }: Pick<StatusFacts, 'phone'>) => phone === ERASED

const driverStatuses: readonly OrderStatus[] = ['shipped', 'delivered']

/** Statuses that the actor may ever assign to this order, whatever its current one. */
function assignableStatuses({ user }: Actor, order: StatusFacts): readonly OrderStatus[] {
  switch (user?.role) {
    case 'super_admin':
      return orderStatuses
    case 'vendor_admin':
    case 'vendor_staff':
      return user.vendorId === order.vendorId ? orderStatuses : []
    case 'driver':
      return user.id === order.assignedDriverId && user.vendorId === order.vendorId ? driverStatuses : []
    default:
      return []
  }
}

/** Whether the actor can take the delivery back, which credits its invoice. */
export const canTakeBack = (actor: Actor, order: StatusFacts & StepFacts): boolean =>
  order.status === 'delivered' &&
  !hasErasedCustomer(order) &&
  isAuthorized({ allow: 'admin', permissions: ['orders.refund'] }, actor.user) &&
  takenBackTo(order).every((to) => assignableStatuses(actor, order).includes(to))

/** Whether staff can make this transition at the order's vendor. */
export const isUsual = (order: Pick<StatusFacts, 'status'> & StepFacts, to: OrderStatus): boolean =>
  canBecome(order.status, to) && isStep(order, to)

/**
 * Why staff cannot move the order to this status; null if they can. A super admin can make transitions that are not usual,
 * with a note.
 * @param reason without one a delivery is not taken back: the request may not know of it
 */
export function transitionError(
  actor: Actor,
  order: StatusFacts & StepFacts,
  to: OrderStatus,
  reason?: string | null,
): 'FORBIDDEN' | 'ORDER_CLOSED' | 'ILLEGAL_TRANSITION' | null {
  if (!assignableStatuses(actor, order).includes(to)) return 'FORBIDDEN'
  if (hasErasedCustomer(order) && !isClosed(to)) return 'ORDER_CLOSED'
  if (isUsual(order, to) || actor.user?.role === 'super_admin') return null
  return reason && takenBackTo(order).includes(to) && canTakeBack(actor, order) ? null : 'ILLEGAL_TRANSITION'
}

/** Statuses to which the actor can move the order now, besides taking a delivery back. */
export const nextStatuses = (actor: Actor, order: StatusFacts & StepFacts): OrderStatus[] =>
  orderStatuses.filter((to) => to !== order.status && isStep(order, to) && transitionError(actor, order, to) === null)

interface DeliveryReport {
  /** Fils collected, as reported by the driver. */
  taken?: Fils | undefined
  cashHeldBy?: CashHolder | undefined
  paymentStatus?: PaymentStatus | undefined
  /** Payments in fils, instead of the others. */
  paid?: readonly { holder: PaymentHolder; amount: number }[] | undefined
}

export interface Settlement {
  /** Fils to book as collected by the order's driver; 0 books nothing. */
  collected: Fils
  /** Fils that the office has received. */
  office: Fils
  paymentStatus: PaymentStatus
}

/** Only staff record that the office received the cash. A driver changes the payment only where cash is due. */
export function canDriverReport(
  bill: Pick<Bill, 'paymentMethod' | 'paymentStatus'>,
  { cashHeldBy, paymentStatus, paid = [] }: DeliveryReport,
): boolean {
  const isPaymentChange = paymentStatus !== undefined && paymentStatus !== paymentStatusOf(bill.paymentStatus)
  const isOfOffice = cashHeldBy === 'office' || paid.some(({ holder }) => holder === 'office')
  return !isOfOffice && (!isPaymentChange || isCashOpen(bill))
}

/**
 * Decides what a delivery books for the driver and for the office, and what the order's payment becomes. A delivery by the
 * driver collects the amount due unless the report differs. A delivery reported by staff books only what is reported.
 */
export function settle(
  bill: Bill,
  { taken, cashHeldBy, paymentStatus, paid }: DeliveryReport,
  isOwnDelivery: boolean,
): Settlement {
  const before = paymentStatusOf(bill.paymentStatus)
  const due = cashDue(bill)
  const holder =
    cashHeldBy ?? (isOwnDelivery && (paymentStatus === undefined || paymentStatus === 'paid') ? 'driver' : 'nobody')
  // A driver's claim that cash was paid counts as collected cash, not as a change of the payment status.
  const reported = isOwnDelivery && isCashOpen(bill) && paymentStatus === 'paid' ? undefined : paymentStatus
  const paidTo = (one: PaymentHolder) =>
    paid?.reduce((sum, { holder: of, amount }) => sum + (of === one ? amount : 0), 0)
  const collected = paidTo('driver') ?? taken ?? (holder === 'driver' ? due : 0)
  const office = paidTo('office') ?? officeDue()
  const isShort = paid !== undefined || (isCashOpen(bill) && (taken !== undefined || cashHeldBy === 'nobody'))
  return { collected: fils(collected), office: fils(office), paymentStatus: paymentStatusAfter() }

  function officeDue(): number {
    if (before === 'paid') return 0
    const missing = Math.max(0, bill.total - bill.received - collected)
    return reported === 'paid' || (holder === 'office' && due > 0) ? missing : 0
  }

  function paymentStatusAfter(): PaymentStatus {
    // Without a payment to take back, only a person who says so ends it.
    if (before === 'paid' && (reported === undefined || reported === 'paid')) return before
    const received = bill.received + collected + office
    return paymentAfter(before, { ...bill, received }, reported ?? (isShort ? 'unpaid' : undefined))
  }
}
