import { useCart } from './CartProvider.tsx'
import { useFilledCart } from './filled-cart.ts'

/** On a phone an empty cart has no bar, so the page offers the parked cart. */
export function ParkedOnPhone() {
  const cart = useCart()
  const filledCart = useFilledCart()
  return filledCart && cart.items.length === 0 && cart.parked ? (
    <div className="lg:hidden">
      <filledCart.ParkedCart cart={cart} />
    </div>
  ) : null
}
