import { formatDay } from '@qatra/contract/calendar'
import { getSite } from '@qatra/contract/site'
import { useQuery } from '@tanstack/react-query'
import { read } from '../app/call.ts'
import { useLanguage } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import { useVendor } from '../products/api.ts'
import { Bottle } from '../ui/Bottle.tsx'
import { CartIcon, TruckIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { CartLines } from './CartLines.tsx'
import { useCart } from './CartProvider.tsx'
import { MinimumNotice, SumLines } from './CartSums.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { ParkedCart } from './ParkedCart.tsx'
import { useCartActs } from './use-cart-acts.ts'

/** The cart beside the catalogue, where there is room for it; elsewhere the mini cart serves. */
export function CartPanel() {
  const { t } = useLanguage()
  const cart = useCart()
  return (
    <aside
      aria-label={t('cart.label')}
      className="sticky top-6 hidden max-h-[calc(100dvh-48px)] overflow-y-auto rounded-l bg-surface p-5 shadow-float lg:block"
    >
      {cart.items.length > 0 ? <FullCart /> : <EmptyCart />}
      <ParkedCart cart={cart} />
    </aside>
  )
}

function FullCart() {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { cart, clearAll } = useCartActs()
  const vendor = useVendor(cart.vendorId)
  return (
    <>
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
      <CartLines cart={cart} />
      <div className="pt-3 pb-3.5">
        <SumLines sums={cart} />
      </div>
      {vendor && <MinimumNotice cart={cart} vendor={vendor} />}
      <CheckoutButton cart={cart} vendor={vendor} />
      <div className="mt-1 flex items-center justify-between gap-2 text-label text-ink-2">
        {vendor && (
          <p className="flex items-center gap-2.5">
            <TruckIcon size={20} aria-hidden="true" />
            {t('cart.arrives', { day: formatDay(vendor.promisedDate, lang, 'long') })}
          </p>
        )}
        <button
          type="button"
          onClick={() => void clearAll()}
          className="min-h-tap shrink-0 px-1 underline underline-offset-3 hover:text-ink"
        >
          {t('cart.clear')}
        </button>
      </div>
    </>
  )
}

function EmptyCart() {
  const { t, lang } = useLanguage()
  const { data: site } = useQuery(read(getSite))
  return (
    <div className="py-4 text-center">
      <div className="mx-auto mb-3 flex h-26 items-end justify-center">
        <Bottle shape="b-500" height={88} />
      </div>
      <h2 className="flex items-center justify-center gap-2 text-heading">
        <CartIcon size={20} aria-hidden="true" />
        {t('cart.empty')}
      </h2>
      {site && <p className="text-ink-2">{t('cart.emptyHint', { day: formatDay(site.promisedDate, lang, 'long') })}</p>}
    </div>
  )
}
