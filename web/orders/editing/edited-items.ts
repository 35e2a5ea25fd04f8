import type { BottleTerms } from '@qatra/contract/bottles'
import { fils, fromBhd, minimumLeft, toBhd } from '@qatra/contract/lib/money'
import type { Order, OrderItem } from '@qatra/contract/orders/orders'
import { type Charges, chargesInBhd, mapKeys, orderTotals, totalsKeys } from '@qatra/contract/orders/totals'
import type { Product } from '@qatra/contract/products/products'

/** Quantities by product; products that are missing have the ordered one. */
export type Quantities = ReadonlyMap<number, number>

export interface EditedRow {
  productId: number
  name: string
  nameAr: string | null
  size: string
  inventoryUnit: string | null
  inventoryUnitAr: string | null
  unitsPerInventoryUnit: number
  imageUrl: string | null
  price: number
  vatPercentage: number
  bottleTypeId: number | null
  bottleTerms: BottleTerms | null
  bottleDeposit: number | null
  ordered: number
  quantity: number
  /** Null without a bottle that comes back. */
  empties: number | null
  orderedEmpties: number | null
  /** Limit of the quantity: a product that is no longer sold can only become less. */
  max: number
}

const MOST = 100

type Ordered = Pick<Order, 'vendorId' | 'items' | 'subtotal' | keyof Charges | 'total'>

/** The ordered items at their prices, then the vendor's other products at today's. `products`: undefined while they load. */
export function rowsOf(
  order: Ordered,
  products: readonly Product[] | undefined,
  quantities: Quantities,
  empties: Quantities = new Map(),
): EditedRow[] {
  const sold = products && new Set(products.map(({ id }) => id))
  const ordered = order.items.flatMap((item) => {
    const { productId, quantity, empties: orderedEmpties, id: _, ...rest } = item
    return productId === null
      ? []
      : [{ ...rest, productId, orderedEmpties, ordered: quantity, max: !sold || sold.has(productId) ? MOST : quantity }]
  })
  const known = new Set(ordered.map(({ productId }) => productId))
  const others = (products ?? [])
    .filter((product) => product.vendorId === order.vendorId && !known.has(product.id))
    .map(({ id, bottle, ...product }) => {
      const bottleDeposit = bottle?.terms === 'exchange' ? bottle.deposit : null
      return {
        ...product,
        productId: id,
        bottleTypeId: bottle?.typeId ?? null,
        bottleTerms: bottle?.terms ?? null,
        bottleDeposit,
        ordered: 0,
        orderedEmpties: bottleDeposit === null ? null : 0,
        max: MOST,
      }
    })
  return [...ordered, ...others].map((row) => {
    const { productId, name, nameAr, size, imageUrl, price, vatPercentage, ordered: before, max } = row
    const { inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit } = row
    const unit = { size, inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit }
    const { bottleTypeId, bottleTerms, bottleDeposit, orderedEmpties } = row
    const quantity = quantities.get(productId) ?? before
    const given = orderedEmpties === null ? null : Math.min(quantity, empties.get(productId) ?? orderedEmpties)
    const bottle = { bottleTypeId, bottleTerms, bottleDeposit, empties: given, orderedEmpties }
    return {
      productId,
      name,
      nameAr,
      ...unit,
      imageUrl,
      price,
      vatPercentage,
      ...bottle,
      ordered: before,
      quantity,
      max,
    }
  })
}

/** Items of deleted products stay as they are. */
const fixedItems = ({ items }: Ordered): OrderItem[] => items.filter(({ productId }) => productId === null)

/** The items as they will be; a new one has no row of its own yet. */
export const itemsAfter = (order: Ordered, rows: readonly EditedRow[]): OrderItem[] => [
  ...fixedItems(order),
  ...rows
    .filter(({ quantity }) => quantity > 0)
    .map(({ ordered: _, max: __, ...row }) => {
      const before = order.items.find(({ productId }) => productId === row.productId)
      const { quantity, empties } = row
      if (before) return { ...before, quantity, empties }
      return { ...row, id: -row.productId, orderedQuantity: null, orderedEmpties: null }
    }),
]

/** The sums by the rules of the server, in BHD. */
export function sumsOf(order: Ordered, rows: readonly EditedRow[], vendorMinimum: number) {
  const lines = [...fixedItems(order), ...rows]
    .filter(({ quantity }) => quantity > 0)
    .map(({ price, quantity, vatPercentage, bottleDeposit, empties }) => ({
      price: fromBhd(price),
      quantity,
      vatPercentage,
      bottleDeposit: bottleDeposit === null ? null : fromBhd(bottleDeposit),
      empties,
    }))
  const totals = orderTotals(lines, chargesInBhd(order))
  const { subtotal, total } = totals
  const minimum = fils(Math.min(fromBhd(vendorMinimum), fromBhd(order.subtotal)))
  return {
    total: toBhd(total),
    totals: mapKeys(totalsKeys, (key) => toBhd(totals[key])),
    difference: toBhd(fils(total - fromBhd(order.total))),
    missing: toBhd(minimumLeft(subtotal, minimum)),
    isEmpty: lines.length === 0,
    isChanged: rows.some(
      ({ quantity, ordered, empties, orderedEmpties }) => quantity !== ordered || empties !== orderedEmpties,
    ),
  }
}
