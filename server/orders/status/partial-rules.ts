/** Pure rules of a partial delivery. */

import type { ValidationKey } from '@qatra/contract/lib/fields'
import { fils } from '@qatra/contract/lib/money'
import type { DeliveredItem } from '@qatra/contract/orders/cash'
import type { ItemList } from '@qatra/contract/orders/history'
import { type Charges, type OrderTotals, orderTotals, storedCharges } from '@qatra/contract/orders/totals'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { itemListOf } from '../editing/rules.ts'
import type { OrderItemRow } from '../queries.ts'
import { isPaid, type PaymentFacts } from './rules.ts'

/** Quantities by item id. */
type Quantities = ReadonlyMap<number, number>

/** New quantities of an order's items with their totals. */
export interface QuantityChange {
  items: Pick<OrderItemRow, 'id' | 'quantity' | 'orderedQuantity'>[]
  totals: OrderTotals
  before: ItemList
  after: ItemList
}

const orderedIn = ({ quantity, orderedQuantity }: OrderItemRow) => orderedQuantity ?? quantity

/**
 * The quantities that a report says were handed over; items that it does not name as ordered.
 * @throws INVALID_BODY for an item that is unknown or named twice, or a quantity above the ordered one
 */
export function requireReported(
  ctx: Pick<Ctx, 'actor'>,
  rows: readonly OrderItemRow[],
  delivered: readonly DeliveredItem[] = [],
): Quantities {
  const ordered = new Map(rows.map((row) => [row.id, orderedIn(row)]))
  const wrong: Record<string, ValidationKey> = {}
  for (const [i, { itemId, quantity }] of delivered.entries()) {
    const most = ordered.get(itemId)
    const isRepeated = delivered.findIndex((item) => item.itemId === itemId) < i
    if (most === undefined || isRepeated) wrong[`delivered.${i}.itemId`] = 'validation.invalid'
    else if (quantity > most) wrong[`delivered.${i}.quantity`] = 'validation.deliveredMore'
  }
  if (Object.keys(wrong).length > 0) throw invalidFields(ctx, wrong)
  for (const { itemId, quantity } of delivered) ordered.set(itemId, quantity)
  return ordered
}

/** @throws DELIVERED_OTHERWISE if the order was delivered with other quantities than the report says */
export function requireSameDelivery(rows: readonly OrderItemRow[], reported: Quantities): void {
  const isSame = rows.every(({ id, quantity }) => reported.get(id) === quantity)
  if (!isSame)
    throw new AppError('DELIVERED_OTHERWISE', {
      delivered: rows.map(({ id, quantity }) => ({ itemId: id, quantity })),
    })
}

/**
 * What a delivery changes in the items; null if everything was handed over.
 * @throws NOTHING_DELIVERED; ORDER_PAID, since a recorded payment fixes the total
 */
export function requirePartial(
  order: PaymentFacts & Charges<number>,
  rows: readonly OrderItemRow[],
  reported: Quantities,
): QuantityChange | null {
  const change = changeOf(order, rows, reported)
  if (change && change.after.length === 0) throw new AppError('NOTHING_DELIVERED')
  if (change && isPaid(order)) throw new AppError('ORDER_PAID')
  return change
}

/** The ordered quantities again, when a delivery is taken back; null if all were delivered. */
export const restoredQuantities = (order: Charges<number>, rows: readonly OrderItemRow[]): QuantityChange | null =>
  changeOf(order, rows, new Map(rows.map((row) => [row.id, orderedIn(row)])))

function changeOf(
  order: Charges<number>,
  rows: readonly OrderItemRow[],
  quantities: Quantities,
): QuantityChange | null {
  const changed = rows.map((row) => {
    const ordered = orderedIn(row)
    const quantity = quantities.get(row.id) ?? ordered
    return { ...row, quantity, orderedQuantity: quantity === ordered ? null : ordered, was: row.quantity }
  })
  const items = changed.filter(({ quantity, was }) => quantity !== was)
  if (items.length === 0) return null
  return {
    items: items.map(({ id, quantity, orderedQuantity }) => ({ id, quantity, orderedQuantity })),
    totals: orderTotals(
      changed.map((row) => ({ ...row, price: fils(row.price) })),
      storedCharges(order),
    ),
    before: listOf(rows),
    after: listOf(changed),
  }
}

const listOf = (rows: readonly OrderItemRow[]) => itemListOf(rows.filter(({ quantity }) => quantity > 0))
