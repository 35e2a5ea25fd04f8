import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import type { ReactNode } from 'react'
import { deliversTo, useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import { useVendor } from '../catalogue/api.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { TruckIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { CartLines } from './CartLines.tsx'
import { useCart } from './CartProvider.tsx'
import { MinimumNotice, SumLines } from './CartSums.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { OutsideNotice } from './OutsideNotice.tsx'
import { useCartActions } from './use-cart-actions.ts'

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

/** Vendor of the cart. */
function CartHead({ vendor }: { vendor: Vendor | null }) {
  const t = useT()
  const nameIn = useNameIn()
  return (
    <div className="flex items-center gap-2.5 border-b border-line pb-3.5">
      {vendor && (
        <VendorEmblem
          emblem={vendor.emblem}
          tint={vendor.tint}
          name={nameIn(vendor)}
          logoUrl={vendor.logoUrl}
          size={36}
        />
      )}
      <h2 className="flex-1 text-heading">{t('cart.title')}</h2>
      {vendor && <span className="text-label text-ink-3">{t('cart.from', { vendor: nameIn(vendor) })}</span>}
    </div>
  )
}

/** Delivery day, unless the vendor does not deliver to the chosen area, and the button that clears the cart. */
function CartFoot({ vendor }: { vendor: Vendor | null }) {
  const { t, lang } = useLanguage()
  const { clearAll } = useCartActions()
  const area = useDeliveryArea()
  const isPromised = vendor !== null && (area === null || deliversTo(area, vendor.id))
  return (
    <div className="mt-1 flex items-center justify-between gap-2 text-label text-ink-2">
      {isPromised && (
        <p className="flex items-center gap-2">
          <TruckIcon size={18} aria-hidden="true" />
          {t('cart.arrives', { day: slotWords(slotOf(vendor), lang, 'long') })}
        </p>
      )}
      <button
        type="button"
        onClick={() => void clearAll()}
        className="ms-auto -me-1 min-h-tap shrink-0 px-1 underline underline-offset-3 hover:text-ink"
      >
        {t('cart.clear')}
      </button>
    </div>
  )
}
