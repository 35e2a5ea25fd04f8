import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { allowsAction, openStatuses } from '@qatra/contract/orders/order-status'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { managedBy } from '../policy.ts'
import { lockOrderRow, requireVersion } from '../queries.ts'
import { orders } from '../tables.ts'
import { isDriverOf } from './drivers.queries.ts'
import { requireAdminOrder } from './order.queries.ts'

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
  const newVersion = order.version + 1
  await ctx.db
    .update(orders)
    .set({ assignedDriverId: driverId, version: newVersion, updatedAt: ctx.now })
    .where(eq(orders.id, order.id))
  await emit(ctx, {
    name: driverId === null ? 'order.driver-removed' : 'order.driver-assigned',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'assignedDriverId', from: order.assignedDriverId, to: driverId }],
    notes: notes || null,
    payload: { driverId, formerDriverId: order.assignedDriverId, version: newVersion },
  })
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
