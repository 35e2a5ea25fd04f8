import { allowsAction, paymentStatusOf, paymentSuccessors, type StepFacts } from '@qatra/contract/orders/order-status'
import type { Actor } from '@qatra/contract/users/actor'
import { holds, isAuthorized, type Permission } from '@qatra/contract/users/permissions'
import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import {
  type BillFacts,
  CANCELLATION_MS,
  canChangeOwnAddress,
  canEditOwnItems,
  canStaffEditItems,
  canTakeBack,
  ERASED,
  isCancellable,
  isOwn,
  isRatable,
  isReschedulable,
  nextStatuses,
  type StatusFacts,
} from './status/rules.ts'
import { orders } from './tables.ts'

export const cancellableUntil = (placedAt: Date) => new Date(placedAt.getTime() + CANCELLATION_MS)

/** Orders of the actor's own account; used by the shop's pages for every role. */
export const ownedBy = ({ user }: Actor): SQL => (user ? eq(orders.userId, user.id) : sql`false`)

/** Orders whose customer has not erased the account. */
export const notErased: SQL = ne(orders.phone, ERASED)

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

/** Orders that sales placed within the actor's reach: those that sales and staff placed themselves, a vendor admin's whole vendor. */
export function soldBy(actor: Actor): SQL {
  const { user } = actor
  if (user?.role === 'super_admin') return isNotNull(orders.placedBy)
  if (!user || user.vendorId === null) return sql`false`
  const ofVendor = and(eq(orders.vendorId, user.vendorId), isNotNull(orders.placedBy)) ?? sql`false`
  if (user.role === 'vendor_admin') return ofVendor
  const isOwnOnly = user.role === 'vendor_sales' || user.role === 'vendor_staff'
  return isOwnOnly ? (and(ofVendor, eq(orders.placedBy, user.id)) ?? sql`false`) : sql`false`
}

/** Whether the actor is staff of the order's vendor, or of the market. */
export const isVendorStaffOf = ({ user }: Actor, { vendorId }: { vendorId: number }) =>
  user?.role === 'super_admin' || (user !== null && user.role !== 'customer' && user.vendorId === vendorId)

type OrderFacts = StatusFacts & StepFacts & BillFacts & { asksForDay: boolean; deliveredAt: Date | null }

/** What the actor can do with the order now. */
export function abilities(actor: Actor, order: OrderFacts, now: Date) {
  return {
    cancel: isCancellable(actor, order, now),
    reschedule: isReschedulable(actor, order),
    items: canEditOwnItems(actor, order, now),
    address: canChangeOwnAddress(actor, order, now),
    reorder: isOwn(actor, order) && allowsAction(order.status, 'customer', 'reorder'),
    rate: isRatable(actor, order, now),
    changeStatus: nextStatuses(actor, order),
  }
}

/** `abilities` plus those of the admin pages, for orders in the actor's reach. */
export function adminAbilities(actor: Actor, order: OrderFacts, now: Date) {
  const may = (permission: Permission) => isAuthorized({ allow: 'admin', permissions: [permission] }, actor.user)
  return {
    ...abilities(actor, order, now),
    changeStatus: holds(['orders.status'], actor.user?.permissions ?? []) ? nextStatuses(actor, order) : [],
    reschedule: may('orders.status') && allowsAction(order.status, 'staff', 'reschedule'),
    assign: may('orders.assign') && allowsAction(order.status, 'staff', 'assign'),
    payment: may('orders.payment') ? [...paymentSuccessors[paymentStatusOf(order.paymentStatus)]] : [],
    refund: may('orders.refund'),
    takeBack: canTakeBack(actor, order),
    confirm: may('orders.confirm') && allowsAction(order.status, 'staff', 'confirm'),
    note: may('orders.status'),
    items: may('orders.status') && canStaffEditItems(order),
    address: may('orders.status') && allowsAction(order.status, 'staff', 'address'),
  }
}
