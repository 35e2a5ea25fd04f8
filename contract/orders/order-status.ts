import { daysUntil, type PromiseFields, slotOf } from '../calendar/slot.ts'

export const orderStatuses = ['new', 'in-progress', 'shipped', 'delivered', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const successors: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  new: ['in-progress', 'shipped', 'delivered', 'cancelled'],
  'in-progress': ['shipped', 'delivered', 'cancelled'],
  shipped: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
}

/** Whether staff can make this transition where all steps are on. A super admin can make any transition, with a note. */
export const canBecome = (from: OrderStatus, to: OrderStatus): boolean => successors[from].includes(to)

/** Statuses that count as sales. */
export const soldStatuses = orderStatuses.filter((status) => status !== 'cancelled')
/** A fact of the order's vendor: whether its orders are processed before they are shipped. */
export interface StepFacts {
  processing: boolean
}
/** Whether the vendor's orders have this status. Those that had it when processing was switched off go on from it. */
export const isStep = ({ processing }: StepFacts, status: OrderStatus) => processing || status !== 'in-progress'
/** Whether a new order is prepared by the choice of its driver alone. */
export const isReady = (order: StepFacts & { status: OrderStatus; assignedDriverId: number | null }) =>
  order.status === 'new' && !order.processing && order.assignedDriverId !== null
/** Statuses of an order after its delivery was taken back. */
export const takenBackTo = (order: StepFacts): OrderStatus[] =>
  (['in-progress', 'shipped'] as const).filter((status) => isStep(order, status))
/** The status of a shipped order that was moved to another day. */
export const unshipped = ({ processing }: StepFacts): OrderStatus => (processing ? 'in-progress' : 'new')
/** Statuses of orders that still need work. */
export const openStatuses = ['new', 'in-progress', 'shipped'] as const satisfies readonly OrderStatus[]
/** Delivered and cancelled orders keep their driver. */
export const isClosed = (status: OrderStatus) => status === 'delivered' || status === 'cancelled'
/** Whether the delivery day of an open order is over. @param today date in Bahrain */
export const isLate = (order: { status: OrderStatus } & PromiseFields, today: string) =>
  !isClosed(order.status) && daysUntil(slotOf(order), today) < 0

/** Who acts on an order: the customer in the shop, the vendor's staff, the order's driver, the customer through the bot. */
export type Party = 'customer' | 'staff' | 'driver' | 'bot'
export type OrderAction =
  | 'cancel'
  | 'reschedule'
  /** Choose another day after a failed delivery attempt. */
  | 'rescheduleAfterAttempt'
  | 'reorder'
  | 'rate'
  | 'items'
  | 'address'
  | 'assign'
  | 'confirm'
  | 'deliver'
  | 'attempt'

const beforeShipping = ['new', 'in-progress'] as const satisfies readonly OrderStatus[]
const customerActions = {
  cancel: beforeShipping,
  reschedule: beforeShipping,
  rescheduleAfterAttempt: openStatuses,
  reorder: ['delivered'],
} as const

/**
 * Statuses in which each act is possible. Permissions, ownership and times (such as the hour for cancelling) are checked
 * in addition.
 */
export const orderActions: Readonly<Record<Party, Partial<Record<OrderAction, readonly OrderStatus[]>>>> = {
  customer: { ...customerActions, rate: ['delivered'], items: beforeShipping, address: beforeShipping },
  bot: customerActions,
  staff: {
    cancel: openStatuses,
    reschedule: openStatuses,
    items: beforeShipping,
    address: openStatuses,
    assign: openStatuses,
    confirm: soldStatuses,
    deliver: openStatuses,
    attempt: openStatuses,
  },
  driver: { deliver: openStatuses, attempt: openStatuses },
}

export const allowsAction = (status: OrderStatus, party: Party, action: OrderAction): boolean =>
  orderActions[party][action]?.includes(status) ?? false

export type CustomerStatus = Exclude<OrderStatus, 'shipped'>
/** The four states that customers see: a shipped order is still in progress to them. */
export const customerStatus = (status: OrderStatus): CustomerStatus => (status === 'shipped' ? 'in-progress' : status)

/** What a customer says of a delivery, or of a conversation. */
export const ratings = ['good', 'fair', 'bad'] as const
export type Rating = (typeof ratings)[number]
/** What of a delivery is rated. */
export const ratedParts = ['water', 'driver'] as const

export const paymentStatuses = ['pending', 'paid', 'failed', 'unpaid'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const paymentSuccessors: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['paid', 'failed', 'unpaid'],
  failed: ['paid', 'unpaid'],
  unpaid: ['paid', 'failed'],
  // A payment recorded by mistake can be reverted; no status changes back to pending.
  paid: ['unpaid', 'failed'],
}

export const canPaymentBecome = (from: PaymentStatus, to: PaymentStatus): boolean =>
  paymentSuccessors[from].includes(to)

/** A missing payment status counts as unpaid. */
export const paymentStatusOf = (stored: PaymentStatus | null | undefined): PaymentStatus => stored ?? 'unpaid'

/** Payment methods that an order can have. */
export const paymentMethods = ['cash', 'card', 'online', 'bank_transfer'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
/** Methods the checkout accepts. */
export const offeredPaymentMethods = ['cash'] as const satisfies readonly PaymentMethod[]

export type PaymentWord = PaymentStatus | 'onDelivery'

/** Payment label for customers: cash is paid on delivery, and after it paid, by any means, or not paid. */
export function paymentWord({
  status,
  paymentMethod,
  paymentStatus,
}: {
  status: OrderStatus
  paymentMethod: PaymentMethod
  paymentStatus: PaymentStatus
}): PaymentWord {
  if (paymentMethod !== 'cash' || paymentStatus !== 'pending') return paymentStatus
  return status === 'delivered' ? 'unpaid' : 'onDelivery'
}
