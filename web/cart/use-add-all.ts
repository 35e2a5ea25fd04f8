import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import { type CartAddition, useCart, useCartContext } from './CartProvider.tsx'
import { quantityOf } from './view.ts'

/** Puts several products of one vendor into the cart, at least in the given quantities; asks before it switches vendors. */
export function useAddAll() {
  const cart = useCart()
  const { sync, cart: current, askSwitch } = useCartContext()
  return {
    hasAll: (additions: readonly CartAddition[]) =>
      additions.every(({ product, quantity }) => quantityOf(cart, product.id) >= quantity),
    addAll(additions: readonly CartAddition[]) {
      const [first, ...more] = additions
      if (!first) return
      const { vendorId } = current.get()
      if (vendorId !== null && vendorId !== first.product.vendorId) return askSwitch({ ...first, more })
      for (const { product, quantity } of additions) {
        const added = quantity - quantityOf(current.get(), product.id)
        if (added <= 0) continue
        track('add_to_cart', { item: trackedItem(product, added) })
        sync.want(product, quantity)
      }
    },
  }
}
