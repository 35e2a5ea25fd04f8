/** Pure rules of what a delivery handed over, more or fewer than was ordered. */

import type { ValidationKey } from '@qatra/contract/lib/fields'
import { fils } from '@qatra/contract/lib/money'
import {
  type BottleCount,
  type BottleLine,
  bottleSums,
  countedAs,
  countsOfOrder,
  type RefundChoice,
} from '@qatra/contract/orders/bottles'
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
  bottles?: readonly BottleCount[] | undefined
}

/** What a report says was handed over: quantities by item id, products that are no item of the order, and what came back. */
export interface HandedOver {
  quantities: ReadonlyMap<number, number>
  added: readonly (AddedItem & { field: string })[]
  bottles: readonly BottleCount[]
}

/** What a delivery changes in an order's items, with the totals that follow. */
export interface QuantityChange extends ItemChanges {
  totals: OrderTotals
  before: ItemList
  after: ItemList
  /** What is handed over. */
  lines: readonly (BottleLine & Pick<OrderItemRow, 'productId' | 'bottleTypeId' | 'bottleDeposit'>)[]
}

/** 0 for an item that was added at the door. */
const orderedIn = ({ quantity, orderedQuantity }: OrderItemRow) => orderedQuantity ?? quantity
const expectedIn = ({ empties, orderedEmpties }: OrderItemRow) => orderedEmpties ?? empties
const depositOf = ({ bottleDeposit }: OrderItemRow) => (bottleDeposit === null ? null : fils(bottleDeposit))

/** The ordered lines with the quantities of a report, and the empties that were expected for them. */
const expectedLines = (rows: readonly OrderItemRow[], quantities: ReadonlyMap<number, number>) =>
  rows.map((row) => {
    const quantity = quantities.get(row.id) ?? orderedIn(row)
    return { ...row, price: fils(row.price), bottleDeposit: depositOf(row), quantity, empties: expectedIn(row) }
  })

/** The lines as they were delivered. */
export const linesOf = (rows: readonly OrderItemRow[]): BottleLine[] =>
  rows.map((row) => ({ ...row, bottleDeposit: depositOf(row) }))

/**
 * The quantities that a report says were handed over; items that it does not name as ordered. A product that it adds and
 * that is an item of the order is more of that item.
 * @throws INVALID_BODY for an item that is unknown, for what is named twice, and for more than 100 of one
 */
export function requireReported(
  ctx: Pick<Ctx, 'actor'>,
  rows: readonly OrderItemRow[],
  { delivered = [], added = [], bottles = [] }: DeliveryReport,
): HandedOver {
  const quantities = new Map(rows.map((row) => [row.id, orderedIn(row)]))
  const wrong: Record<string, ValidationKey> = {}
  const named = new Set<number>()
  for (const [i, { itemId, quantity }] of delivered.entries()) {
    if (!quantities.has(itemId) || named.has(itemId)) wrong[`delivered.${i}.itemId`] = 'validation.invalid'
    named.add(itemId)
    quantities.set(itemId, quantity)
  }
  for (const [i, { typeId }] of bottles.entries())
    if (bottles.findIndex((count) => count.typeId === typeId) < i) wrong[`bottles.${i}.typeId`] = 'validation.invalid'
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
  return { quantities, added: more, bottles }
}

/**
 * @param returned good empties that came back, by type
 * @throws DELIVERED_OTHERWISE if something else was delivered or came back than the report says
 */
export function requireSameDelivery(
  rows: readonly OrderItemRow[],
  { quantities, added, bottles }: HandedOver,
  returned: ReadonlyMap<number, number>,
): void {
  const sums = bottleSums(countedAs(expectedLines(rows, quantities), []), bottles)
  const isSame =
    added.length === 0 &&
    rows.every(({ id, quantity }) => quantities.get(id) === quantity) &&
    sums.every((sum) => sum.returned === (returned.get(sum.typeId) ?? 0)) &&
    [...returned].every(([typeId, count]) => count === 0 || sums.some((sum) => sum.typeId === typeId))
  if (!isSame)
    throw new AppError('DELIVERED_OTHERWISE', {
      delivered: rows.map(({ id, quantity }) => ({ itemId: id, quantity })),
      bottles: [...returned].map(([typeId, count]) => ({ typeId, returned: count })),
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
 * What a delivery changes in the items; null if everything was handed over, and came back, as ordered.
 * @param inputs `offers`: the added products; `counts`: of the bottles that change the order
 * @throws NOTHING_DELIVERED; INVALID_BODY for an unknown product, VENDOR_MISMATCH, PRODUCT_UNAVAILABLE
 */
export function requireSome(
  ctx: Pick<Ctx, 'actor'>,
  order: Charges<number> & { vendorId: number },
  inputs: {
    rows: readonly OrderItemRow[]
    reported: HandedOver
    offers: readonly StoredOffer[]
    counts: readonly BottleCount[]
    refund?: RefundChoice | undefined
  },
): QuantityChange | null {
  const { rows, reported, offers, counts, refund } = inputs
  const added = requireAdded(ctx, order.vendorId, reported.added, offers)
  const change = changeOf(order, rows, { quantities: reported.quantities, added, counts, refund })
  if (change && change.after.length === 0) throw new AppError('NOTHING_DELIVERED')
  return change
}

/** The ordered items again, when a delivery is taken back; null if they were delivered as ordered. */
export const restoredQuantities = (order: Charges<number>, rows: readonly OrderItemRow[]): QuantityChange | null =>
  changeOf(order, rows, { quantities: new Map(), added: [], counts: [] })

function changeOf(
  order: Charges<number>,
  rows: readonly OrderItemRow[],
  report: Pick<HandedOver, 'quantities'> & {
    added: readonly OrderLine[]
    counts: readonly BottleCount[]
    refund?: RefundChoice | undefined
  },
): QuantityChange | null {
  const bottled: BottleLine[] = [...expectedLines(rows, report.quantities), ...report.added]
  const counted = countedAs(bottled, countsOfOrder(bottled, report.counts, report.refund))
  const all = rows.map((row, i) => {
    const { quantity, empties } = { ...row, ...counted[i] }
    const [ordered, expected] = [orderedIn(row), expectedIn(row)]
    const isAsOrdered = quantity === ordered && ordered > 0
    return {
      ...row,
      price: fils(row.price),
      bottleDeposit: depositOf(row),
      quantity,
      orderedQuantity: isAsOrdered ? null : ordered,
      empties,
      orderedEmpties: empties === expected ? null : expected,
      isChanged: quantity !== row.quantity || empties !== row.empties,
      isGone: ordered + quantity === 0,
    }
  })
  const added = report.added.map((line, i) => ({ ...line, empties: counted[rows.length + i]?.empties ?? null }))
  const kept = all.filter(({ isGone }) => !isGone)
  const changed = kept.filter(({ isChanged }) => isChanged)
  if (changed.length + added.length === 0 && kept.length === rows.length) return null
  const handedOver = [...kept.filter(({ quantity }) => quantity > 0), ...added]
  return {
    changed: changed.map(({ id, quantity, orderedQuantity, empties, orderedEmpties }) => {
      return { id, quantity, orderedQuantity, empties, orderedEmpties }
    }),
    removed: all.filter(({ isGone }) => isGone).map(({ id }) => id),
    added: added.map((line) => ({ ...line, orderedQuantity: 0, orderedEmpties: line.empties ? 0 : null })),
    totals: orderTotals(handedOver, storedCharges(order)),
    before: itemListOf(rows.filter(({ quantity }) => quantity > 0)),
    after: itemListOf(handedOver),
    lines: handedOver,
  }
}
