import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import type { sendConfirmation as send } from '@qatra/contract/orders/confirmation'
import { allowsAction, openStatuses } from '@qatra/contract/orders/order-status'
import type { TimelineEntry } from '@qatra/contract/orders/timeline'
import { MOST_VIEWS, type OrderView, type saveOrderView } from '@qatra/contract/orders/views'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError, retryLater } from '../../lib/errors.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { managedBy } from '../policy.ts'
import { lockOrderRow, requireOrderRow, requireVersion } from '../queries.ts'
import { orders, orderViews } from '../tables.ts'
import {
  findLastConfirmation,
  isDriverOf,
  listViews,
  readTimeline,
  requireAdminOrder,
  viewsInReach,
} from './queries.ts'

const COOLDOWN_SECONDS = 60

/**
 * Sends the customer the order's current state, at most once a minute. @throws CUSTOMER_NOT_REACHABLE if no channel
 * reaches the customer, TOO_MANY_REQUESTS within the minute
 */
export async function sendConfirmation(
  ctx: Ctx,
  typedId: string,
  isReachable: (phone: string) => boolean,
): Promise<Output<typeof send>> {
  // The lock serializes concurrent requests, so that the second one finds the first one's row.
  const { id, phone, vendorId, status, version } = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (status === 'cancelled' || !isReachable(phone)) throw new AppError('CUSTOMER_NOT_REACHABLE')
  const last = await findLastConfirmation(ctx, id)
  const seconds = last ? COOLDOWN_SECONDS - (ctx.now.getTime() - last.at.getTime()) / 1000 : 0
  if (seconds > 0) throw retryLater('TOO_MANY_REQUESTS', Math.ceil(seconds))
  const reference = String(ctx.now.getTime())
  await emit(ctx, {
    name: 'order.confirmation-asked',
    action: 'confirmation',
    resource: 'order',
    id,
    vendorId,
    changes: [{ field: 'confirmation', from: null, to: reference }],
    payload: { reference, version },
  })
  return { queued: true, to: phone }
}

/** Adds a staff note; the order stays unchanged. */
export async function addOrderNote(ctx: Ctx, typedId: string, text: string): Promise<TimelineEntry[]> {
  const { id, vendorId } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  await emit(ctx, { name: 'order.noted', action: 'note', resource: 'order', id, vendorId, notes: text })
  return readTimeline(ctx, id)
}

/** @throws VIEWS_FULL, VIEW_NAME_TAKEN */
export async function saveView(ctx: Ctx, { name, search }: Parsed<typeof saveOrderView>['body']): Promise<OrderView> {
  const vendorId = vendorInReach(ctx.actor)
  // Two people who save at once are counted one after the other.
  await takeNumberLock(ctx.db, 'order-views', vendorId ?? 0)
  const views = await listViews(ctx)
  if (views.some((view) => view.name === name)) throw new AppError('VIEW_NAME_TAKEN')
  if (views.length >= MOST_VIEWS) throw new AppError('VIEWS_FULL', { most: MOST_VIEWS })
  const [view] = await ctx.db
    .insert(orderViews)
    .values({ vendorId, name, search })
    .returning({ id: orderViews.id, name: orderViews.name, search: orderViews.search })
  if (!view) throw new Error('An insert returns its row')
  await emitChange(ctx, 'created', view)
  return view
}

/** @throws VIEW_NOT_FOUND, the same for an unknown view and one of others */
export async function removeView(ctx: Ctx, id: number): Promise<{ success: true }> {
  const [view] = await ctx.db
    .delete(orderViews)
    .where(and(eq(orderViews.id, id), viewsInReach(ctx)))
    .returning({ id: orderViews.id, name: orderViews.name, search: orderViews.search })
  if (!view) throw new AppError('VIEW_NOT_FOUND')
  await emitChange(ctx, 'deleted', view)
  return { success: true }
}

const emitChange = (ctx: Ctx, action: 'created' | 'deleted', { id, name }: OrderView) =>
  emit(ctx, {
    name: `order-view.${action}`,
    action,
    resource: 'order-view',
    id,
    vendorId: vendorInReach(ctx.actor),
    changes: [action === 'created' ? { field: 'name', from: null, to: name } : { field: 'name', from: name, to: null }],
  })

interface DriverInput {
  /** Null unassigns the driver. */
  driverId: number | null
  version?: number | undefined
  notes?: string | null | undefined
}

/**
 * Assigns or unassigns a driver. Of two concurrent dispatchers the second is refused; assigning the same driver again
 * changes nothing.
 */
export async function setDriver(
  ctx: Ctx,
  typedId: string,
  { driverId, version, notes }: DriverInput,
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (order.assignedDriverId === driverId) return requireAdminOrder(ctx, order.id)
  requireVersion(order, version)
  if (!allowsAction(order.status, 'staff', 'assign')) throw new AppError('ORDER_CLOSED', { status: order.status })
  if (driverId !== null && !(await isDriverOf(ctx, driverId, order.vendorId)))
    throw new AppError('DRIVER_NOT_AVAILABLE', { driverId })
  const { id, vendorId, assignedDriverId: formerDriverId } = order
  const changed = { formerDriverId, version: order.version + 1 }
  await ctx.db
    .update(orders)
    .set({ assignedDriverId: driverId, version: changed.version, updatedAt: ctx.now })
    .where(eq(orders.id, id))
  const entry = {
    action: 'updated',
    resource: 'order',
    id,
    vendorId,
    changes: [{ field: 'assignedDriverId', from: formerDriverId, to: driverId }],
    notes: notes || null,
  } as const
  if (driverId === null) await emit(ctx, { ...entry, name: 'order.driver-removed', payload: { ...changed, driverId } })
  else await emit(ctx, { ...entry, name: 'order.driver-assigned', payload: { ...changed, driverId } })
  return requireAdminOrder(ctx, order.id)
}

/**
 * Unassigns the open orders of a driver who leaves the vendor, with a history row and an event for each. The caller has
 * locked the person's row, so that no order is assigned concurrently.
 */
export async function releaseOrdersOf(ctx: Ctx, driverId: number): Promise<void> {
  // Locks by ascending id, like all code that locks several orders, to avoid deadlocks.
  const held = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.assignedDriverId, driverId), inArray(orders.status, openStatuses)))
    .orderBy(orders.id)
    .for('update')
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  const released = await ctx.db
    .update(orders)
    .set({ assignedDriverId: null, version: sql`${orders.version} + 1`, updatedAt: ctx.now })
    .where(inArray(orders.id, ids))
    .returning({ id: orders.id, vendorId: orders.vendorId, version: orders.version })
  for (const { id, vendorId, version } of released)
    await emit(ctx, {
      name: 'order.driver-left',
      action: 'updated',
      resource: 'order',
      id,
      vendorId,
      changes: [{ field: 'assignedDriverId', from: driverId, to: null }],
      payload: { driverId: null, formerDriverId: driverId, version },
    })
}
