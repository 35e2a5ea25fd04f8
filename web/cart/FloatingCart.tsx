import { useEffect, useState } from 'react'
import { expandCart } from './expand.ts'
import { useFilledCart } from './filled-cart.ts'

/** The mini cart, once its code is loaded. */
export function FloatingCart() {
  const filledCart = useFilledCart()
  const [isOpen, setOpen] = useState(false)
  // Here, since a reorder opens the cart before the code of a first cart has arrived.
  useEffect(() => expandCart.on(() => setOpen(true)), [])
  return filledCart && <filledCart.MiniCart isOpen={isOpen} setOpen={setOpen} />
}
