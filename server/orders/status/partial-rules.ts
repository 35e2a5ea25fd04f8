/** Pure rules of what a delivery handed over, more or fewer than was ordered. */

import type { ValidationKey } from '@qatra/contract/lib/fields'
import { fils } from '@qatra/contract/lib/money'
import { type AddedItem, type DeliveredItem, mostDelivered } from '@qatra/contract/orders/cash'
import type { ItemList } from '@qatra/contract/orders/history'
import { type Charges, type OrderTotals, orderTotals, storedCharges } from '@qatra/contract/orders/totals'
import type { StoredOffer } from '../../cart/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { type ItemChanges, itemListOf } from '../editing/rules.ts'
import type { OrderLine } from '../placing/commands.ts'
import { lineOf, requireAvailable, requireSameVendor } from '../placing/rules.ts'
import type { OrderItemRow } from '../queries.ts'

export interface DeliveryReport {
  delivered?: readonly DeliveredItem[] | undefined
  added?: readonly AddedItem[] | undefined
}

/** What a report says was handed over: quantities by item id, and products that are no item of the order. */
export interface HandedOver {
  quantities: ReadonlyMap<number, number>
  added: readonly (AddedItem & { field: string })[]
}

/** What a delivery changes in an order's items, with the totals that follow. */
export interface QuantityChange extends ItemChanges {
  totals: OrderTotals
  before: ItemList
  after: ItemList
}

/** 0 for an item that was added at the door. */
const orderedIn = ({ quantity, orderedQuantity }: OrderItemRow) => orderedQuantity ?? quantity

/**
 * The quantities that a report says were handed over; items that it does not name as ordered. A product that it adds and
 * that is an item of the order is more of that item.
 * @throws INVALID_BODY for an item that is unknown, for one that is named twice, and for more than 100 of one
 */
export function requireReported(
  ctx: Pick<Ctx, 'actor'>,
  rows: readonly OrderItemRow[],
  { delivered = [], added = [] }: DeliveryReport,
): HandedOver {
  const quantities = new Map(rows.map((row) => [row.id, orderedIn(row)]))
  const wrong: Record<string, ValidationKey> = {}
  const named = new Set<number>()
  for (const [i, { itemId, quantity }] of delivered.entries()) {
    if (!quantities.has(itemId) || named.has(itemId)) wrong[`delivered.${i}.itemId`] = 'validation.invalid'
    named.add(itemId)
    quantities.set(itemId, quantity)
  }
  const more = added.flatMap(({ productId, quantity }, i) => {
    if (added.findIndex((item) => item.productId === productId) < i)
      wrong[`added.${i}.productId`] = 'validation.repeatedProduct'
    const row = rows.find((one) => one.productId === productId)
    if (!row) return [{ productId, quantity, field: `added.${i}.productId` }]
    const sum = (quantities.get(row.id) ?? 0) + quantity
    if (sum > mostDelivered) wrong[`added.${i}.quantity`] = 'validation.deliveredMost'
    quantities.set(row.id, sum)
    return []
  })
  if (Object.keys(wrong).length > 0) throw invalidFields(ctx, wrong)
  return { quantities, added: more }
}

/** @throws DELIVERED_OTHERWISE if something else was delivered than the report says */
export function requireSameDelivery(rows: readonly OrderItemRow[], { quantities, added }: HandedOver): void {
  const isSame = added.length === 0 && rows.every(({ id, quantity }) => quantities.get(id) === quantity)
  if (!isSame)
    throw new AppError('DELIVERED_OTHERWISE', {
      delivered: rows.map(({ id, quantity }) => ({ itemId: id, quantity })),
    })
}

/** The added products at today's price. */
function requireAdded(
  ctx: Pick<Ctx, 'actor'>,
  vendorId: number,
  added: HandedOver['added'],
  offers: readonly StoredOffer[],
): OrderLine[] {
  const found = added.map(({ productId, quantity, field }) => {
    const offer = offers.find(({ id }) => id === productId)
    if (!offer) throw invalidFields(ctx, { [field]: 'validation.unknownProduct' })
    return { offer, quantity, field }
  })
  requireSameVendor(ctx, found, vendorId)
  requireAvailable(found.map(({ offer }) => offer))
  return found.map(({ offer, quantity }) => lineOf(offer, quantity))
}

/**
 * What a delivery changes in the items; null if everything was handed over as ordered.
 * @param inputs `offers`: the added products
 * @throws NOTHING_DELIVERED; INVALID_BODY for an unknown product, VENDOR_MISMATCH, PRODUCT_UNAVAILABLE
 */
export function requireSome(
  ctx: Pick<Ctx, 'actor'>,
  order: Charges<number> & { vendorId: number },
  inputs: { rows: readonly OrderItemRow[]; reported: HandedOver; offers: readonly StoredOffer[] },
): QuantityChange | null {
  const { rows, reported, offers } = inputs
  const added = requireAdded(ctx, order.vendorId, reported.added, offers)
  const change = changeOf(order, rows, reported.quantities, added)
  if (change && change.after.length === 0) throw new AppError('NOTHING_DELIVERED')
  return change
}

/** The ordered items again, when a delivery is taken back; null if they were delivered as ordered. */
export const restoredQuantities = (order: Charges<number>, rows: readonly OrderItemRow[]): QuantityChange | null =>
  changeOf(order, rows, new Map(), [])

function changeOf(
  order: Charges<number>,
  rows: readonly OrderItemRow[],
  quantities: ReadonlyMap<number, number>,
  added: readonly OrderLine[],
): QuantityChange | null {
  const all = rows.map((row) => {
    const ordered = orderedIn(row)
    const quantity = quantities.get(row.id) ?? ordered
    const orderedQuantity = quantity === ordered && ordered > 0 ? null : ordered
    return {
      ...row,
      price: fils(row.price),
      bottleDeposit: row.bottleDeposit === null ? null : fils(row.bottleDeposit),
      quantity,
      orderedQuantity,
      was: row.quantity,
      isGone: ordered + quantity === 0,
    }
  })
  const kept = all.filter(({ isGone }) => !isGone)
  const changed = kept.filter(({ quantity, was }) => quantity !== was)
  if (changed.length + added.length === 0 && kept.length === rows.length) return null
  const handedOver = [...kept.filter(({ quantity }) => quantity > 0), ...added]
  return {
    changed: changed.map(({ id, quantity, orderedQuantity }) => ({ id, quantity, orderedQuantity })),
    removed: all.filter(({ isGone }) => isGone).map(({ id }) => id),
    added: added.map((line) => ({ ...line, orderedQuantity: 0 })),
    totals: orderTotals(handedOver, storedCharges(order)),
    before: itemListOf(rows.filter(({ quantity }) => quantity > 0)),
    after: itemListOf(handedOver),
  }
}
