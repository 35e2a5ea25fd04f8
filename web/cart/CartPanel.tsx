import { useDeferredValue } from 'react'
import { useT } from '../app/i18n.tsx'
import { useVendor } from '../products/api.ts'
import { Bottle } from '../ui/Bottle.tsx'
import { CartIcon } from '../ui/icons.tsx'
import { CartFoot, CartHead } from './CartFrame.tsx'
import { CartLines } from './CartLines.tsx'
import { useCart } from './CartProvider.tsx'
import { MinimumNotice, SumLines } from './CartSums.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { OutsideNotice } from './OutsideNotice.tsx'
import { ParkedCart } from './ParkedCart.tsx'

/** The cart beside the catalogue on wide screens; narrow ones use the mini cart. */
export function CartPanel() {
  const t = useT()
  const cart = useCart()
  const isFilled = cart.items.length > 0
  const wasFilled = useDeferredValue(isFilled)
  return (
    <aside
      aria-label={t('cart.label')}
      className="sticky top-6 hidden max-h-[calc(100dvh-48px)] overflow-y-auto rounded-l bg-surface p-5 shadow-float lg:block"
    >
      {isFilled && wasFilled ? <FullCart /> : <EmptyCart />}
      <ParkedCart cart={cart} />
    </aside>
  )
}

function FullCart() {
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

function EmptyCart() {
  const t = useT()
  return (
    <div className="py-4 text-center">
      <div className="mx-auto mb-3 flex h-26 items-end justify-center">
        <Bottle shape="b-500" height={88} />
      </div>
      <h2 className="flex items-center justify-center gap-2 text-heading">
        <CartIcon size={20} aria-hidden="true" />
        {t('cart.empty')}
      </h2>
      <p className="text-ink-2">{t('cart.emptyHint')}</p>
    </div>
  )
}
