import { useCart } from './CartProvider.tsx'
import { useFilledCart } from './filled-cart.ts'

/** On a phone the page offers what stands in the cart beside it on a wide screen: the parked cart, and another vendor. */
export function ParkedOnPhone() {
  const cart = useCart()
  const filledCart = useFilledCart()
  return filledCart ? (
    <div className="lg:hidden">
      {cart.items.length === 0 ? <filledCart.ParkedCart cart={cart} /> : <filledCart.OutsideNotice />}
    </div>
  ) : null
}
