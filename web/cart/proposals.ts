import { quantityLimit } from '@qatra/contract/cart/rules'
import { type Fils, fromBhd, timesFils } from '@qatra/contract/lib/money'
import type { Product } from '@qatra/contract/products/products'

export interface Proposal<P> {
  product: P
  /** How many more of it. */
  count: number
  /** What these cost. */
  amount: Fils
}

const MOST = 3
/** Most units of one product in a proposal, unless nothing else reaches the minimum. */
const MOST_COUNT = 10

type Sold = Pick<Product, 'id' | 'vendorId' | 'price'>
interface Present {
  vendorId: number | null
  items: readonly { productId: number; quantity: number }[]
}

/**
 * Ways to reach the minimum by more of one product, each enough by itself: those that cost least first, then those with
 * fewer pieces.
 * @param left missing to the minimum
 */
export function proposalsFor<P extends Sold>(
  { vendorId, items }: Present,
  products: readonly P[],
  left: Fils,
): Proposal<P>[] {
  if (left === 0) return []
  const possible = products
    .filter((product) => product.vendorId === vendorId && product.price > 0)
    .map((product) => {
      const price = fromBhd(product.price)
      const count = Math.ceil(left / price)
      return { product, count, amount: timesFils(price, count) }
    })
    .filter(({ product, count }) => {
      const present = items.find(({ productId }) => productId === product.id)?.quantity ?? 0
      return present + count <= quantityLimit
    })
    .sort((a, b) => a.amount - b.amount || a.count - b.count || a.product.id - b.product.id)
  const few = possible.filter(({ count }) => count <= MOST_COUNT)
  return (few.length > 0 ? few : possible).slice(0, MOST)
}
