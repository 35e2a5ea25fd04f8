import type { ReactNode } from 'react'
import { useVendor } from '../catalogue/api.ts'
import { CartFoot, CartHead } from './CartFrame.tsx'
import { CartLines } from './CartLines.tsx'
import { useCart } from './CartProvider.tsx'
import { MinimumNotice, SumLines } from './CartSums.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { OutsideNotice } from './OutsideNotice.tsx'

/** Items, sums and checkout of a cart with items. */
export function FullCart(): ReactNode {
  const cart = useCart()
  const vendor = useVendor(cart.vendorId)
  return (
    <>
      <CartHead vendor={vendor} />
      <CartLines cart={cart} />
      <div className="pt-3 pb-3.5">
        <SumLines sums={cart} />
      </div>
      {vendor && <MinimumNotice cart={cart} vendor={vendor} />}
      <OutsideNotice />
      <CheckoutButton cart={cart} vendor={vendor} />
      <CartFoot vendor={vendor} />
    </>
  )
}
