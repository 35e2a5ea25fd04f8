import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import { type CartWish, useCart, useCartContext } from './CartProvider.tsx'

/** Puts several products of one vendor into the cart, at least in the given quantities; asks before it switches vendors. */
export function useAddAll() {
  const cart = useCart()
  const { sync, askSwitch } = useCartContext()
  const inCart = (id: number) => cart.items.find(({ productId }) => productId === id)?.quantity ?? 0
  return {
    hasAll: (wishes: readonly CartWish[]) => wishes.every(({ product, quantity }) => inCart(product.id) >= quantity),
    addAll(wishes: readonly CartWish[]) {
      const [first, ...more] = wishes
      if (!first) return
      if (cart.vendorId !== null && cart.vendorId !== first.product.vendorId) return askSwitch({ ...first, more })
      for (const { product, quantity } of wishes) {
        const added = quantity - inCart(product.id)
        if (added <= 0) continue
        track('add_to_cart', { item: trackedItem(product, added) })
        sync.want(product, quantity)
      }
    },
  }
}
