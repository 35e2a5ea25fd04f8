import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fils, toBhd } from '@qatra/contract/lib/money'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { orderNames } from '@qatra/contract/orders/buyer'
import type { changeBuyer as buyer, changeAddress as change } from '@qatra/contract/orders/delivery'
import { allowsAction } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { invoiceNumber } from '@qatra/contract/orders/receipts'
import { mapKeys, storedCharges } from '@qatra/contract/orders/totals'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { pinSourceAt } from '../../areas/queries.ts'
import { listOffers } from '../../cart/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder } from '../../database/transaction.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { requireAdminOrder } from '../admin/queries.ts'
import { followPayments } from '../payment/commands.ts'
import { bookSale } from '../payment/sale.commands.ts'
import { requireDistinct } from '../placing/rules.ts'
import { managedBy, notErased, ownedBy } from '../policy.ts'
import { countEdits, lockOrderRow, type OrderRow, requireOrder, requireVersion } from '../queries.ts'
import { findReceipt } from '../receipt/queries.ts'
import { requireCoverage } from '../sales/rules.ts'
import { type BillFacts, canChangeOwnAddress, canEditOwnItems, canStaffEditItems } from '../status/rules.ts'
import { orderItems, orders } from '../tables.ts'
import {
  type Editor,
  type ItemChanges,
  type ItemsInput,
  isUnchanged,
  itemListOf,
  requireEditable,
  requireEditsLeft,
} from './rules.ts'

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

/**
 * Changes what a company's order is filed under, whatever its status: it is no part of the money. An invoice that has its
 * number keeps its copy (`paperCopy`); the next number has the new facts. What was there before goes into the history's
 * note, because erasure clears notes.
 */
export async function changeBuyer(
  ctx: Ctx,
  typedId: string,
  { version: seen, ...input }: Parsed<typeof buyer>['body'],
): Promise<AdminOrderDetail> {
  const order = await lockOrderRow(ctx, typedId, and(managedBy(ctx.actor), notErased) ?? sql`false`)
  const next = mapKeys(orderNames, (name) => (input[name] === undefined ? order[name] : input[name] || null))
  if (orderNames.some((name) => next[name] !== order[name])) {
    requireVersion(order, seen)
    const version = order.version + 1
    await ctx.db
      .update(orders)
      .set({ ...next, version, updatedAt: ctx.now })
      .where(eq(orders.id, order.id))
    await emit(ctx, {
      name: 'order.buyer-changed',
      action: 'updated',
      resource: 'order',
      id: order.id,
      vendorId: order.vendorId,
      changes: [{ field: 'buyer', from: null, to: null }],
      notes: orderNames.flatMap((name) => order[name] ?? []).join(' · ') || null,
      payload: { version },
    })
  }
  return requireAdminOrder(ctx, order.id)
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

/**
 * Changes the items of an own order.
 * @throws EDIT_CLOSED if it is shipped, paid, older than an hour, has a valid invoice or was edited too often
 */
export async function editOwnItems(ctx: Ctx, typedId: string, input: ItemsInput): Promise<Order> {
  const order = await lockBill(ctx, typedId, ownedBy(ctx.actor))
  if (!canEditOwnItems(ctx.actor, order, ctx.now)) throw editClosed(order)
  await editItems(ctx, order, input, 'customer')
  return requireOrder(ctx, order.id)
}

/** Changes the items of an order for staff. @throws EDIT_CLOSED if it is shipped or paid or has a valid invoice */
export async function editOrderItems(ctx: Ctx, typedId: string, input: ItemsInput): Promise<AdminOrderDetail> {
  const order = await lockBill(ctx, typedId, managedBy(ctx.actor))
  if (!canStaffEditItems(order)) throw editClosed(order)
  await editItems(ctx, order, input, 'staff')
  return requireAdminOrder(ctx, order.id)
}

type LockedBill = OrderRow & BillFacts

/** The foreign key of a new receipt waits for this lock, so the order gets no receipt until the transaction ends. */
async function lockBill(ctx: Ctx, typedId: string, scope: SQL): Promise<LockedBill> {
  const order = await lockOrderRow(ctx, typedId, scope)
  // A statement of its own: one that waited for the lock would not see what was committed meanwhile.
  const receipt = await findReceipt(ctx.db, order.id)
  return { ...order, invoiceNumber: receipt && invoiceNumber(receipt) }
}

const editClosed = ({ status, paymentStatus, invoiceNumber }: LockedBill) =>
  new AppError('EDIT_CLOSED', { status, paymentStatus, hasReceipt: invoiceNumber !== null })

const termsSql = statement(
  'order-edit-terms',
  'select min_delivery_amount as minimum, custom_price_floor as floor from vendors where id = $1',
)

/**
 * Edits an order that the caller has locked, so that it is not shipped meanwhile and a second edit sees this one.
 * Products and vendor are read without a lock, as when an order is placed. A repeated request changes nothing.
 */
async function editItems(ctx: Ctx, order: OrderRow, input: ItemsInput, editor: Editor): Promise<void> {
  requireDistinct(ctx, input.items)
  const [items, offers, [vendor]] = await allInOrder([
    ctx.db.select().from(orderItems).where(eq(orderItems.orderId, order.id)).orderBy(asc(orderItems.id)),
    listOffers(
      ctx,
      input.items.map(({ productId }) => productId),
    ),
    run<{ minimum: Fils; floor: number | null }>(ctx.db, termsSql, [order.vendorId]),
  ])
  if (isUnchanged(items, input.items)) return
  requireVersion(order, input.version)
  const edits = await countEdits(ctx, order.id)
  requireEditsLeft(order, edits, editor)
  const inputs = {
    editor,
    vendorId: order.vendorId,
    subtotal: fils(order.subtotal),
    charges: storedCharges(order),
    minDeliveryAmount: fils(vendor?.minimum ?? 0),
    priceFloor: vendor?.floor ?? null,
    items,
    offers,
  }
  const edit = requireEditable(ctx, inputs, input)
  const version = order.version + 1
  await writeItems(ctx, order.id, edit)
  await ctx.db
    .update(orders)
    .set({ ...edit.totals, version, updatedAt: ctx.now })
    .where(eq(orders.id, order.id))
  await emit(ctx, {
    name: 'order.items-changed',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [
      { field: 'items', from: itemListOf(items), to: edit.list },
      ...(edit.totals.total === order.total
        ? []
        : [{ field: 'total', from: toBhd(fils(order.total)), to: toBhd(edit.totals.total) } as const]),
    ],
    payload: { editor, version, edit: edits.all + 1 },
  })
  await bookSale(ctx, order, { status: order.status, total: edit.totals.total, version })
  // What was paid before may cover the new total.
  await followPayments(ctx, { ...order, version }, {})
}

/** Writes changed, removed and added items of an order, but not its totals. */
export async function writeItems(
  { db }: Pick<Ctx, 'db'>,
  orderId: string,
  { changed, removed, added }: ItemChanges,
): Promise<void> {
  if (removed.length > 0) await db.delete(orderItems).where(inArray(orderItems.id, removed))
  for (const { id, ...columns } of changed) await db.update(orderItems).set(columns).where(eq(orderItems.id, id))
  if (added.length > 0) await db.insert(orderItems).values(added.map((line) => ({ ...line, orderId })))
}
