import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import { type CartAddition, useCart, useCartContext } from './CartProvider.tsx'

/** Puts several products of one vendor into the cart, at least in the given quantities; asks before it switches vendors. */
export function useAddAll() {
  const cart = useCart()
  const { sync, askSwitch } = useCartContext()
  const inCart = (id: number) => cart.items.find(({ productId }) => productId === id)?.quantity ?? 0
  return {
    hasAll: (additions: readonly CartAddition[]) =>
      additions.every(({ product, quantity }) => inCart(product.id) >= quantity),
    addAll(additions: readonly CartAddition[]) {
      const [first, ...more] = additions
      if (!first) return
      if (cart.vendorId !== null && cart.vendorId !== first.product.vendorId) return askSwitch({ ...first, more })
      for (const { product, quantity } of additions) {
        const added = quantity - inCart(product.id)
        if (added <= 0) continue
        track('add_to_cart', { item: trackedItem(product, added) })
        sync.want(product, quantity)
      }
    },
  }
}
