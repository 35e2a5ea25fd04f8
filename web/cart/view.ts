import type { Cart, CartItem } from '@qatra/contract/cart/cart'
import { fromBhd } from '@qatra/contract/lib/money'
import { chargesInBhd, orderTotals, totalsInBhd } from '@qatra/contract/orders/totals'
import type { ProductLine } from '../catalogue/product-line.ts'

/** Wanted quantity by product, not confirmed by the server; 0 removes the line. */
export type Wanted = ReadonlyMap<number, { quantity: number; product: ProductLine }>

export const lineOf = ({ productId, ...item }: CartItem): ProductLine => ({ ...item, id: productId })

/** Of two states of a cart. */
export const isOlder = (one: Cart, other: Cart) => one.id === other.id && one.version < other.version

/** Id of a line that the server has not stored yet; the page keys lines by product. */
const UNNUMBERED = 0

function itemFor(product: ProductLine, quantity: number, cart: Cart): CartItem {
  const { id: productId, ...line } = product
  return { ...line, id: UNNUMBERED, cartId: cart.id ?? UNNUMBERED, productId, quantity, isAvailable: true }
}

/**
 * The server's last answer with the wanted quantities applied.
 * @param feeOf delivery fee of a vendor in BHD; 1 while the vendor is not known.
 */
export function cartView(server: Cart, wanted: Wanted, feeOf: (vendorId: number) => number): Cart {
  if (wanted.size === 0) return server
  const kept = server.items.flatMap((item) => {
    const want = wanted.get(item.productId)
    if (!want) return [item]
    return want.quantity > 0 ? [{ ...item, quantity: want.quantity }] : []
  })
  const known = new Set(server.items.map((item) => item.productId))
  const added = [...wanted.values()].flatMap(({ product, quantity }) =>
    known.has(product.id) || quantity <= 0 ? [] : [itemFor(product, quantity, server)],
  )
  const items = [...kept, ...added]
  const vendorId = items[0]?.vendorId ?? null
  const lines = items.filter((item) => item.isAvailable).map((item) => ({ ...item, price: fromBhd(item.price) }))
  const terms = { deliveryFee: vendorId === null ? 0 : feeOf(vendorId) }
  return {
    ...server,
    vendorId,
    items,
    ...totalsInBhd(orderTotals(lines, chargesInBhd(terms))),
  }
}
