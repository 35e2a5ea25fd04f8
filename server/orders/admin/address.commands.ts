import type { Parsed } from '@qatra/contract/endpoint'
import type { changeAddress as change } from '@qatra/contract/order-delivery'
import { allowsAct } from '@qatra/contract/order-status'
import type { AdminOrderDetail } from '@qatra/contract/orders-admin'
import { and, eq, sql } from 'drizzle-orm'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { managedBy } from '../policy.ts'
import { type OrderRow, requireOrderRow, requireVersion } from '../queries.ts'
import { requireCoverage } from '../sales/rules.ts'
import { orders } from '../tables.ts'
import { requireAdminOrder } from './order.queries.ts'

type AddressInput = Parsed<typeof change>['body']

/**
 * Corrects an open order's address; price and day stay. The old address goes into the history's note, because erasure
 * clears notes.
 */
export async function changeAddress(
  ctx: Ctx,
  catalogue: Catalogue,
  typedId: string,
  { version, ...input }: AddressInput,
): Promise<AdminOrderDetail> {
  const order = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  requireVersion(order, version)
  if (!allowsAct(order.status, 'office', 'address')) throw new AppError('ORDER_CLOSED', { status: order.status })
  const place = placeOf(order, input)
  const moved = pointOf(catalogue, order, input.mapCoordinates)
  if (isAsBefore(order, place) && moved === null) return requireAdminOrder(ctx, order.id)
  const [row] = await ctx.db
    .update(orders)
    .set({ ...place, ...moved, version: sql`${orders.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(orders.id, order.id), eq(orders.version, order.version)))
    .returning({ version: orders.version })
  if (!row) throw new AppError('VERSION_CONFLICT')
  await emit(ctx, {
    name: 'order.address-changed',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'address', from: null, to: null }],
    notes: [order.address, order.instructions].filter(Boolean).join('\n'),
    payload: { version: row.version },
  })
  return requireAdminOrder(ctx, order.id)
}

const placeOf = (order: OrderRow, { address, addressParts, instructions }: AddressInput) => ({
  address,
  addressParts: addressParts ?? null,
  instructions: instructions === undefined ? order.instructions : instructions || null,
})

const isAsBefore = (order: OrderRow, place: ReturnType<typeof placeOf>) =>
  order.address === place.address &&
  order.instructions === place.instructions &&
  textOf(order.addressParts) === textOf(place.addressParts)
const textOf = (parts: AddressInput['addressParts']) => JSON.stringify(Object.entries(parts ?? {}).sort())

/** The new pin with its area; null if unchanged. */
function pointOf(catalogue: Catalogue, order: OrderRow, to: AddressInput['mapCoordinates']) {
  if (!to || (to.lat === order.lat && to.lng === order.lng)) return null
  const vendor = catalogue.vendors.get(order.vendorId)
  if (!vendor) throw new AppError('UNAVAILABLE')
  const area = requireCoverage(catalogue, vendor, { mapCoordinates: to, ignoreCoverage: false })
  return {
    lat: to.lat,
    lng: to.lng,
    areaId: area?.id ?? null,
    areaName: area?.name ?? null,
    areaNameAr: area?.nameAr ?? null,
  }
}
