import type { OfficeOrderDetail } from '@qatra/contract/orders-office'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { isClosed, managedBy } from '../policy.ts'
import { requireOrderRow } from '../queries.ts'
import { orders } from '../tables.ts'
import { isDriverOf } from './drivers.queries.ts'
import { requireOfficeOrder } from './order.queries.ts'

interface Wish {
  /** Null takes the order from its driver. */
  driverId: number | null
  version?: number | undefined
  notes?: string | null | undefined
}

/**
 * Gives an order to a driver, or takes it from one. Of two dispatchers at once the second is told; the same driver again
 * changes nothing and tells nobody.
 */
export async function setDriver(
  ctx: Ctx,
  typedId: string,
  { driverId, version, notes }: Wish,
): Promise<OfficeOrderDetail> {
  const order = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (order.assignedDriverId === driverId) return requireOfficeOrder(ctx, order.id)
  if (version !== undefined && version !== order.version)
    throw new AppError('VERSION_CONFLICT', { version: order.version })
  if (isClosed(order.status)) throw new AppError('ORDER_CLOSED', { status: order.status })
  if (driverId !== null && !(await isDriverOf(ctx, driverId, order.vendorId)))
    throw new AppError('DRIVER_NOT_AVAILABLE', { driverId })
  const changed = await ctx.db
    .update(orders)
    .set({ assignedDriverId: driverId, version: sql`${orders.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(orders.id, order.id), eq(orders.version, order.version)))
    .returning({ version: orders.version })
  const [row] = changed
  if (!row) throw new AppError('VERSION_CONFLICT')
  await emit(ctx, {
    name: driverId === null ? 'order.driver-removed' : 'order.driver-assigned',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'assignedDriverId', from: order.assignedDriverId, to: driverId }],
    notes: notes || null,
    payload: { driverId, formerDriverId: order.assignedDriverId, version: row.version },
  })
  return requireOfficeOrder(ctx, order.id)
}
