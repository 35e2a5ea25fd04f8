import type { Actor } from '@qatra/contract/actor'
import {
  canBecome,
  type OrderStatus,
  orderStatuses,
  type PaymentStatus,
  paymentStatusOf,
  paymentSuccessors,
} from '@qatra/contract/order-status'
import { isAuthorized, type Permission } from '@qatra/contract/permissions'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { orders } from './tables.ts'

/** The customer can cancel up to and including this many milliseconds after placing. */
export const CANCELLATION_MS = 3_600_000

export const cancellableUntil = (placedAt: Date) => new Date(placedAt.getTime() + CANCELLATION_MS)

/** Orders of the actor's own account; used by the shop's pages for every role. */
export const ownedBy = ({ user }: Actor): SQL => (user ? eq(orders.userId, user.id) : sql`false`)

/** Orders the person may manage as staff, limited to the person's current vendor. */
export function managedBy({ user }: Actor): SQL {
  if (user?.role === 'super_admin') return sql`true`
  if (!user || user.vendorId === null) return sql`false`
  const ofVendor = eq(orders.vendorId, user.vendorId)
  switch (user.role) {
    case 'vendor_admin':
    case 'vendor_staff':
      return ofVendor
    case 'vendor_sales':
      return sql`(${ofVendor} and ${eq(orders.placedBy, user.id)})`
    case 'driver':
      return sql`(${ofVendor} and ${eq(orders.assignedDriverId, user.id)})`
    default:
      return sql`false`
  }
}

/** Orders that sales placed within the actor's reach: an agent's own, a vendor admin's whole vendor. */
export function soldBy(actor: Actor): SQL {
  const { user } = actor
  if (user?.role === 'super_admin') return isNotNull(orders.placedBy)
  if (!user || user.vendorId === null) return sql`false`
  const ofVendor = and(eq(orders.vendorId, user.vendorId), isNotNull(orders.placedBy)) ?? sql`false`
  if (user.role === 'vendor_admin') return ofVendor
  return user.role === 'vendor_sales' ? (and(ofVendor, eq(orders.placedBy, user.id)) ?? sql`false`) : sql`false`
}

/** Whether the actor is staff of the order's vendor, or of the market. */
export const isVendorStaffOf = ({ user }: Actor, { vendorId }: { vendorId: number }) =>
  user?.role === 'super_admin' || (user !== null && user.role !== 'customer' && user.vendorId === vendorId)

export interface OrderFacts {
  userId: number | null
  vendorId: number
  assignedDriverId: number | null
  status: OrderStatus
  phone: string
  createdAt: Date
}

const ofDrivers: readonly OrderStatus[] = ['shipped', 'delivered']

/** Statuses that the actor may ever assign to this order, whatever its current one. */
export function assignableStatuses({ user }: Actor, order: Pick<OrderFacts, 'vendorId' | 'assignedDriverId'>) {
  switch (user?.role) {
    case 'super_admin':
      return orderStatuses
    case 'vendor_admin':
    case 'vendor_staff':
      return user.vendorId === order.vendorId ? orderStatuses : []
    case 'driver':
      return user.id === order.assignedDriverId && user.vendorId === order.vendorId ? ofDrivers : []
    default:
      return []
  }
}

/** Transitions outside of the table are for super admins only, and need a note. */
export const canOverrideTransitions = ({ user }: Actor) => user?.role === 'super_admin'

export function abilities(actor: Actor, order: OrderFacts, now: Date) {
  const isOwn = actor.user !== null && order.userId === actor.user.id
  const isYoung = now.getTime() - order.createdAt.getTime() <= CANCELLATION_MS
  return {
    cancel: isOwn && isYoung && (order.status === 'new' || order.status === 'in-progress'),
    reorder: isOwn && order.status === 'delivered',
    changeStatus: assignableStatuses(actor, order).filter(
      (to) =>
        to !== order.status &&
        (canOverrideTransitions(actor) || canBecome(order.status, to)) &&
        (isClosed(to) || !hasErasedCustomer(order)),
    ),
  }
}

/** Placeholder for the name, phone and address of an erased person. */
export const ERASED = '—'

/** Whether the customer erased the account. Such an order has no address and cannot be reopened. */
export const hasErasedCustomer = ({ phone }: { phone: string }) => phone === ERASED

/** Delivered and cancelled orders keep their driver. */
export const isClosed = (status: OrderStatus) => status === 'delivered' || status === 'cancelled'

/** `abilities` plus those of the admin pages, for orders in the actor's reach. */
export function adminAbilities(actor: Actor, order: OrderFacts & { paymentStatus: PaymentStatus | null }, now: Date) {
  const may = (permission: Permission) => isAuthorized({ allow: 'admin', permissions: [permission] }, actor.user)
  return {
    ...abilities(actor, order, now),
    assign: may('orders.assign') && !isClosed(order.status),
    payment: may('orders.payment') ? [...paymentSuccessors[paymentStatusOf(order.paymentStatus)]] : [],
    confirm: may('orders.confirm') && order.status !== 'cancelled',
    note: may('orders.status'),
    address: may('orders.status') && !isClosed(order.status),
  }
}
