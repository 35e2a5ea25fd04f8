import type { Cart, CartItem } from '@qatra/contract/cart/cart'
import { fromBhd, timesFils, toBhd } from '@qatra/contract/lib/money'
import { sumText } from '@qatra/contract/products/unit-text'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useState } from 'react'
import { useNameIn, useSizedName } from '../app/names.ts'
import { SumLines } from '../cart/CartSums.tsx'
import { useCartActions } from '../cart/use-cart-actions.ts'
import { lineOf } from '../cart/view.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { ProductThumb, TwoThumbs } from '../ui/ProductPicture.tsx'
import { Quantity } from '../ui/Units.tsx'

export function OrderSummary({ cart, vendor }: { cart: Cart; vendor: Vendor | null }) {
  const words = useLanguage()
  const { t } = words
  const nameIn = useNameIn()
  const [wantsFolded, setFolded] = useState(cart.items.length > 1)
  // What cannot be ordered is shown, with its button.
  const isFolded = wantsFolded && cart.items.every(({ isAvailable }) => isAvailable)
  return (
    <section aria-labelledby="checkout-summary" className="py-5 lg:pt-0">
      <h2 id="checkout-summary" className="mb-3.5 text-heading">
        {t('checkout.summary', { vendor: vendor ? nameIn(vendor) : '' })}
      </h2>
      {isFolded && (
        <button
          type="button"
          aria-expanded={false}
          onClick={() => setFolded(false)}
          className="flex min-h-14 w-full items-center gap-3 text-start lg:hidden"
        >
          <TwoThumbs items={cart.items} tint={vendor?.tint ?? null} />
          <span className="min-w-0 flex-1 font-strong">{sumText(words, cart.items)}</span>
          <span className="flex flex-none items-center gap-1 font-strong text-aqua-ink">
            {t('checkout.show')}
            <DownIcon size={18} aria-hidden="true" />
          </span>
        </button>
      )}
      <ul className={isFolded ? 'max-lg:hidden' : ''}>
        {cart.items.map((item) => (
          <Line key={item.productId} item={item} tint={vendor?.tint ?? null} />
        ))}
      </ul>
      <div className="mt-2.5 border-t border-line pt-2.5">
        <SumLines sums={cart} />
      </div>
    </section>
  )
}

function Line({ item, tint }: { item: CartItem; tint: string | null }) {
  const t = useT()
  const nameIn = useNameIn()
  const sizedName = useSizedName()(item)
  const { remove } = useCartActions()
  const name = nameIn(item)
  return (
    <li className="grid grid-cols-[56px_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
      <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={tint} />
      <div className="min-w-0">
        <h3 className="font-regular leading-normal">{name}</h3>
        <p className="text-label leading-normal text-ink-3">
          <Quantity of={item} count={item.quantity} />
          {item.bottle?.terms === 'exchange' && (
            <span className="block">{t('bottles.gives', { count: item.empties })}</span>
          )}
        </p>
      </div>
      {item.isAvailable ? (
        <Money bhd={toBhd(timesFils(fromBhd(item.price), item.quantity))} className="font-strong" />
      ) : (
        <span className="text-end text-label">
          <span className="block text-clay">{t('cart.unavailable')}</span>
          <button
            type="button"
            aria-label={t('cart.removeOf', { name: sizedName })}
            onClick={() => remove(lineOf(item))}
            className="min-h-tap font-strong text-aqua-ink underline underline-offset-3"
          >
            {t('cart.remove')}
          </button>
        </span>
      )}
    </li>
  )
}
