import type { Parsed } from '@qatra/contract/endpoint'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import type { changeAddress as change } from '@qatra/contract/orders/delivery'
import { allowsAction } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { eq } from 'drizzle-orm'
import { pinSourceAt } from '../../areas/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { requireAdminOrder } from '../admin/order.queries.ts'
import { managedBy, ownedBy } from '../policy.ts'
import { countEdits, lockOrderRow, type OrderRow, requireOrder, requireVersion } from '../queries.ts'
import { requireCoverage } from '../sales/rules.ts'
import { canChangeOwnAddress } from '../status/rules.ts'
import { orders } from '../tables.ts'
import { type Editor, requireEditsLeft } from './rules.ts'

type AddressInput = Parsed<typeof change>['body']

/** Changes the address of an own order. @throws EDIT_CLOSED if it is shipped, older than an hour or was edited too often */
export async function changeOwnAddress(
  ctx: Ctx,
  catalogue: Catalogue,
  typedId: string,
  input: AddressInput,
): Promise<Order> {
  const order = await lockOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (!canChangeOwnAddress(ctx.actor, order, ctx.now)) throw new AppError('EDIT_CLOSED', { status: order.status })
  await writeAddress(ctx, catalogue, order, input, 'customer')
  return requireOrder(ctx, order.id)
}

/** Changes an open order's address for staff. */
export async function changeAddress(
  ctx: Ctx,
  catalogue: Catalogue,
  typedId: string,
  input: AddressInput,
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  if (!allowsAction(order.status, 'staff', 'address')) throw new AppError('ORDER_CLOSED', { status: order.status })
  await writeAddress(ctx, catalogue, order, input, 'staff')
  return requireAdminOrder(ctx, order.id)
}

/**
 * Writes the address of an order that the caller has locked; price and day stay. The old address goes into the history's
 * note, because erasure clears notes.
 */
async function writeAddress(
  ctx: Ctx,
  catalogue: Catalogue,
  order: OrderRow,
  input: AddressInput,
  editor: Editor,
): Promise<void> {
  const place = placeOf(order, input)
  const moved = pinOf(catalogue, order, input)
  if (isAsBefore(order, place) && moved === null) return
  requireVersion(order, input.version)
  const edits = await countEdits(ctx, order.id)
  requireEditsLeft(order, edits, editor)
  const version = order.version + 1
  await ctx.db
    .update(orders)
    .set({ ...place, ...moved, version, updatedAt: ctx.now })
    .where(eq(orders.id, order.id))
  await emit(ctx, {
    name: 'order.address-changed',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'address', from: null, to: null }],
    notes: [order.address, order.instructions].filter(Boolean).join('\n'),
    payload: { editor, version, edit: edits.all + 1 },
  })
}

/** Who takes the order and the instructions stay if they are not sent. */
const placeOf = (order: OrderRow, input: AddressInput) => ({
  address: input.address,
  addressParts: input.addressParts ?? null,
  instructions: input.instructions === undefined ? order.instructions : input.instructions || null,
  receiverName: input.receiverName === undefined ? order.receiverName : input.receiverName,
  receiverPhone: input.receiverPhone === undefined ? order.receiverPhone : input.receiverPhone,
})

const isAsBefore = (order: OrderRow, place: ReturnType<typeof placeOf>) =>
  order.address === place.address &&
  order.instructions === place.instructions &&
  order.receiverName === place.receiverName &&
  order.receiverPhone === place.receiverPhone &&
  textOf(order.addressParts) === textOf(place.addressParts)
const textOf = (parts: AddressInput['addressParts']) => JSON.stringify(Object.entries(parts ?? {}).sort())

/** The new pin with its area, or a better known source of the same pin; null if unchanged. */
function pinOf(catalogue: Catalogue, order: OrderRow, { mapCoordinates: to, pinSource }: AddressInput) {
  if (!to || (to.lat === order.lat && to.lng === order.lng))
    return pinSource && pinSource !== order.pinSource ? { pinSource } : null
  const vendor = catalogue.vendors.get(order.vendorId)
  if (!vendor) throw new AppError('UNAVAILABLE')
  const area = requireCoverage(catalogue, vendor, { mapCoordinates: to, ignoreCoverage: false })
  return {
    lat: to.lat,
    lng: to.lng,
    pinSource: pinSourceAt(area, to, pinSource),
    areaId: area?.id ?? null,
    areaName: area?.name ?? null,
    areaNameAr: area?.nameAr ?? null,
  }
}
