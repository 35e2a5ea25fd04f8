import { type BottleTerms, type FreeBottles, withEmpties } from '../bottles.ts'
import { type Fils, fromBhd } from '../lib/money.ts'
import { type Charges, chargesInBhd, orderTotals } from '../orders/totals.ts'
import { sizeKey, volumeOf } from '../products/sizes.ts'
import { quantityLimit } from './rules.ts'

/** A product as lists and cart lines show it. `price` is in BHD. */
interface Sold {
  name: string
  nameAr: string | null
  size: string
  price: number
  vatPercentage: number
  inventoryUnit?: string | null
  inventoryUnitAr?: string | null
  unitsPerInventoryUnit: number
}
export interface SwapItem extends Sold {
  productId: number
  quantity: number
}
export interface SwapProduct extends Sold {
  id: number
  vendorId: number
  bottle?: { typeId: number; terms: BottleTerms; deposit: number } | null
}
interface SwapVendor extends Charges<number> {
  id: number
  /** BHD */
  minDeliveryAmount: number
}

export interface SwapLine<P> {
  item: SwapItem
  /** Null if the vendor has nothing of a similar size. */
  product: P | null
  /** The product has another volume, or another number of pieces. */
  isOtherSize: boolean
}

export interface Swap<P, V> {
  vendor: V
  lines: SwapLine<P>[]
  /** Quantity by product; lines that become the same product are added up, to the limit. */
  quantities: ReadonlyMap<number, number>
  subtotal: Fils
  total: Fils
  /** Lines that become the same product would exceed the limit of one product. */
  isLimited: boolean
}

/** Greatest ratio of two volumes that replace each other: 330 for 500 ml, but not 500 ml for a gallon. */
const MOST_RATIO = 1.6

/** Ratio of the volumes, 1 for the same size; null if the one does not replace the other. */
function ratioOf(from: string, to: string): number | null {
  if (sizeKey(from) === sizeKey(to)) return 1
  const [a, b] = [volumeOf(from), volumeOf(to)]
  if (a === null || b === null) return null
  const ratio = Math.max(a, b) / Math.min(a, b)
  return ratio <= MOST_RATIO ? ratio : null
}

/** The product nearest in volume, then in pieces, then in price. */
function replacementOf<P extends SwapProduct>(item: SwapItem, products: readonly P[]): P | null {
  const pieces = (product: Sold) => Math.abs(Math.log(product.unitsPerInventoryUnit / item.unitsPerInventoryUnit))
  const fitting = products.flatMap((product) => {
    const ratio = ratioOf(item.size, product.size)
    return ratio === null ? [] : [{ product, ratio }]
  })
  const [best] = fitting.sort(
    (a, b) =>
      a.ratio - b.ratio ||
      pieces(a.product) - pieces(b.product) ||
      Math.abs(a.product.price - item.price) - Math.abs(b.product.price - item.price) ||
      a.product.id - b.product.id,
  )
  return best?.product ?? null
}

function swapTo<P extends SwapProduct, V extends SwapVendor>(
  items: readonly SwapItem[],
  products: readonly P[],
  vendor: V,
  free: FreeBottles,
): Swap<P, V> {
  const own = products.filter(({ vendorId }) => vendorId === vendor.id)
  const lines = items.map((item): SwapLine<P> => {
    const product = replacementOf(item, own)
    const isOtherSize =
      product !== null &&
      (sizeKey(product.size) !== sizeKey(item.size) || product.unitsPerInventoryUnit !== item.unitsPerInventoryUnit)
    return { item, product, isOtherSize }
  })
  const quantities = new Map<number, number>()
  let isLimited = false
  for (const { item, product } of lines) {
    if (!product) continue
    const quantity = (quantities.get(product.id) ?? 0) + item.quantity
    isLimited ||= quantity > quantityLimit
    quantities.set(product.id, Math.min(quantity, quantityLimit))
  }
  const priced = own.flatMap((product) => {
    const quantity = quantities.get(product.id)
    return quantity === undefined
      ? []
      : [
          {
            ...product,
            price: fromBhd(product.price),
            bottleDeposit: fromBhd(product.bottle?.deposit ?? 0),
            quantity,
            empties: null,
          },
        ]
  })
  const { subtotal, total } = orderTotals(withEmpties(priced, free), chargesInBhd(vendor))
  return { vendor, lines, quantities, isLimited, subtotal, total }
}

/**
 * The cart with each of these vendors, given in the order in which they deliver. First the one that has most of the lines,
 * then the one with fewer other sizes. Vendors that have none of the lines are left out.
 * @param free bottles of the customer, of all vendors
 */
export function swapsFor<P extends SwapProduct, V extends SwapVendor>(
  items: readonly SwapItem[],
  products: readonly P[],
  vendors: readonly V[],
  free: FreeBottles = {},
): Swap<P, V>[] {
  const found = ({ lines }: Swap<P, V>) => lines.filter(({ product }) => product !== null).length
  const others = ({ lines }: Swap<P, V>) => lines.filter(({ isOtherSize }) => isOtherSize).length
  return vendors
    .map((vendor) => swapTo(items, products, vendor, free))
    .filter((swap) => found(swap) > 0)
    .sort((a, b) => found(b) - found(a) || others(a) - others(b))
}
