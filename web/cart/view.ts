import type { Cart, CartItem } from '@qatra/contract/cart/cart'
import type { OrderTotals } from '@qatra/contract/orders/totals'
import type { ProductLine } from '../catalogue/product-line.ts'

/** A cart without its sums: those of wanted quantities are computed only where they are shown, by `usePricedCart`. */
export type CartView = Omit<Cart, keyof OrderTotals>

interface Want {
  /** 0 removes the line. */
  quantity: number
  /** Empty bottles that the customer gives back. */
  empties?: number | undefined
}
/** What is wanted by product, not confirmed by the server. */
export type Wanted = ReadonlyMap<number, Want & { product: ProductLine }>

export const lineOf = ({ productId, ...item }: CartItem): ProductLine => ({ ...item, id: productId })

export const quantityOf = ({ items }: CartView, id: number): number =>
  items.find(({ productId }) => productId === id)?.quantity ?? 0

/** Of two states of a cart. */
export const isOlder = (one: Cart, other: Cart) => one.id === other.id && one.version < other.version

/** Id of a line that the server has not stored yet; the page keys lines by product. */
const UNNUMBERED = 0

/** `empties`, where they were not chosen, and `held` are those of before; `pricedCart` has the new ones. */
const itemWith = (item: CartItem, { quantity, empties }: Want): CartItem => ({
  ...item,
  quantity,
  empties: empties ?? item.empties,
  isAnswered: item.isAnswered || empties !== undefined,
})

function itemFor({ id: productId, ...line }: ProductLine, want: Want, cart: CartView): CartItem {
  const ids = { id: UNNUMBERED, cartId: cart.id ?? UNNUMBERED, productId }
  const bottles = { empties: 0, held: 0, isAnswered: false, deposit: 0 }
  return itemWith({ ...line, ...ids, ...bottles, quantity: 0, isAvailable: true }, want)
}

/** The server's last answer with the wanted quantities applied. */
export function cartView(server: CartView, wanted: Wanted): CartView {
  if (wanted.size === 0) return server
  const kept = server.items.flatMap((item) => {
    const want = wanted.get(item.productId)
    if (!want) return [item]
    return want.quantity > 0 ? [itemWith(item, want)] : []
  })
  const known = new Set(server.items.map((item) => item.productId))
  const added = [...wanted.values()].flatMap(({ product, ...want }) =>
    known.has(product.id) || want.quantity <= 0 ? [] : [itemFor(product, want, server)],
  )
  const items = [...kept, ...added]
  return { ...server, vendorId: items[0]?.vendorId ?? null, items }
}
