import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fils } from '@qatra/contract/lib/money'
import type { editItems } from '@qatra/contract/orders/editing'
import type { ItemList } from '@qatra/contract/orders/history'
import { type Charges, type OrderTotals, orderTotals } from '@qatra/contract/orders/totals'
import { holds } from '@qatra/contract/users/permissions'
import type { StoredOffer } from '../../cart/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import type { Events } from '../../jobs/events.ts'
import { AppError } from '../../lib/errors.ts'
import type { OrderLine } from '../placing/commands.ts'
import {
  lineOf,
  requireAvailable,
  requireItems,
  requireKnown,
  requireMinimum,
  requireSameVendor,
  requireShownTotal,
} from '../placing/rules.ts'
import type { OrderItemRow, OrderRow } from '../queries.ts'
import { requireFloor } from '../sales/rules.ts'

export type ItemsInput = Parsed<typeof editItems>['body']
export type Editor = Events['order.items-changed']['editor']

/** Edits of one order that a customer can make. Each is announced by a message that the shop pays for. */
const mostOwnEdits = 10

/** @throws EDIT_CLOSED if the customer has edited the order too often */
export function requireEditsLeft({ status }: Pick<OrderRow, 'status'>, { own }: { own: number }, editor: Editor): void {
  if (editor === 'customer' && own >= mostOwnEdits)
    throw new AppError('EDIT_CLOSED', { status, mostEdits: mostOwnEdits })
}

/** What the rules depend on, as stored when the order was locked. */
export interface EditInputs {
  editor: Editor
  vendorId: number
  subtotal: Fils
  charges: Charges
  minDeliveryAmount: Fils
  /** The vendor's floor of agreed prices in percent. */
  priceFloor: number | null
  items: readonly OrderItemRow[]
  /** Current products of the wanted items. */
  offers: readonly StoredOffer[]
}

export interface ItemChanges {
  /** Items with another quantity, or other empties. */
  changed: (Pick<OrderItemRow, 'id' | 'quantity'> &
    Partial<Pick<OrderItemRow, 'orderedQuantity' | 'empties' | 'orderedEmpties'>>)[]
  removed: number[]
  added: (OrderLine & Partial<Pick<OrderItemRow, 'orderedQuantity' | 'orderedEmpties'>>)[]
}

export interface Edit extends ItemChanges {
  totals: OrderTotals
  /** The items after the edit, for the history. */
  list: ItemList
}

/** Items of deleted products have no id by which an edit could name them, so they stay. */
const wantedQuantity = (row: OrderItemRow, items: ItemsInput['items']): number =>
  row.productId === null ? row.quantity : (items.find(({ productId }) => productId === row.productId)?.quantity ?? 0)

/** Empty bottles of an item that keeps its bottle: as wanted or as before, at most the quantity. */
function wantedEmpties(row: OrderItemRow, items: ItemsInput['items']): number | null {
  if (row.empties === null) return null
  const wanted = items.find(({ productId }) => productId === row.productId && productId !== null)?.empties
  return Math.min(wanted ?? row.empties, wantedQuantity(row, items))
}

/** Whether the order has these items already. */
export const isUnchanged = (rows: readonly OrderItemRow[], items: ItemsInput['items']): boolean =>
  rows.every((row) => wantedQuantity(row, items) === row.quantity && wantedEmpties(row, items) === row.empties) &&
  items.every(({ productId }) => rows.some((row) => row.productId === productId))

/**
 * An agreed price was agreed for its quantity. The customer can only keep such an item or remove it; staff need the
 * permission for agreed prices, and the price must still be above the vendor's floor.
 * @throws EDIT_CLOSED, FORBIDDEN, PRICE_BELOW_FLOOR, naming the products
 */
function requireAgreed(ctx: Pick<Ctx, 'actor'>, inputs: EditInputs, items: ItemsInput['items']): void {
  const changed = inputs.items.flatMap((row) => {
    const quantity = wantedQuantity(row, items)
    if (row.listPrice === null || quantity === 0 || quantity === row.quantity) return []
    const field = `items.${items.findIndex(({ productId }) => productId === row.productId)}.quantity`
    return [{ ...row, price: fils(row.price), listPrice: fils(row.listPrice), field }]
  })
  if (changed.length === 0) return
  const products = changed.map(({ productId: id, name, nameAr }) => ({ id, name, nameAr }))
  if (inputs.editor === 'customer') throw new AppError('EDIT_CLOSED', { products })
  if (!holds(['sales.custom-price'], userOf(ctx).permissions)) throw new AppError('FORBIDDEN', { products })
  if (inputs.priceFloor !== null) requireFloor(ctx, inputs.priceFloor, changed)
}

/**
 * The terms of the edited order: items that stay keep their price, also an agreed one; new items have today's price. More
 * of a product needs it to be available; less of it does not.
 * @throws the error of the first violated rule
 */
export function requireEditable(
  ctx: Pick<Ctx, 'actor'>,
  inputs: EditInputs,
  { items, expectedTotal }: Pick<ItemsInput, 'items' | 'expectedTotal'>,
): Edit {
  requireAgreed(ctx, inputs, items)
  const before = new Map(inputs.items.map((row) => [row.productId, row]))
  const isMore = ({ productId, quantity }: ItemsInput['items'][number]) =>
    quantity > (before.get(productId)?.quantity ?? 0)
  // The fields of an error name the position in the request, so all items are looked up that need a product.
  const known = requireKnown(ctx, inputs.offers, items, isMore)
  requireSameVendor(ctx, known, inputs.vendorId)
  requireAvailable(known.map(({ offer }) => offer))
  const kept = inputs.items.flatMap((row) => {
    const quantity = wantedQuantity(row, items)
    const bottleDeposit = row.bottleDeposit === null ? null : fils(row.bottleDeposit)
    const empties = wantedEmpties(row, items)
    const isChanged = quantity !== row.quantity || empties !== row.empties
    return quantity === 0 ? [] : [{ ...row, price: fils(row.price), bottleDeposit, quantity, empties, isChanged }]
  })
  const added = known.flatMap(({ item, offer }) =>
    before.has(offer.id) ? [] : [lineOf(offer, item.quantity, item.empties)],
  )
  const lines = [...kept, ...added]
  requireItems(ctx, lines)
  const totals = orderTotals(lines, inputs.charges)
  // An order that was below the minimum, such as one of sales, must not fall further.
  requireMinimum(totals.subtotal, fils(Math.min(inputs.minDeliveryAmount, inputs.subtotal)))
  requireShownTotal(totals.total, expectedTotal)
  return {
    changed: kept.filter(({ isChanged }) => isChanged).map(({ id, quantity, empties }) => ({ id, quantity, empties })),
    removed: inputs.items.filter((row) => wantedQuantity(row, items) === 0).map(({ id }) => id),
    added,
    totals,
    list: itemListOf(lines),
  }
}

export const itemListOf = (lines: readonly ItemList[number][]): ItemList =>
  lines.map(({ name, nameAr, size, quantity, inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit }) => {
    return { name, nameAr, size, quantity, inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit }
  })
