import { slotOf } from '@qatra/contract/calendar/slot'
import type { Cart } from '@qatra/contract/cart/cart'
import { formatAmount, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { countText, sumText } from '@qatra/contract/products/unit-text'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { deliversTo, useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn, useSizedName } from '../app/names.ts'
import { productsQuery, useVendor } from '../catalogue/api.ts'
import { useDayWords } from '../delivery/day-words.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { TruckIcon } from '../ui/icons.tsx'
import { ProductThumb } from '../ui/ProductPicture.tsx'
import { Progress } from '../ui/Progress.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { CartLines } from './CartLines.tsx'
import { missing, SumLines } from './CartSums.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { OutsideNotice } from './OutsideNotice.tsx'
import { ParkedCart } from './ParkedCart.tsx'
import { usePricedCart } from './priced-cart.ts'
import { proposalsFor } from './proposals.ts'
import { useCartActions } from './use-cart-actions.ts'
import { quantityOf } from './view.ts'

/** Items, sums and checkout of a cart with items, beside the page. */
export function FullCart(): ReactNode {
  const t = useT()
  const nameIn = useNameIn()
  const cart = usePricedCart()
  const vendor = useVendor(cart.vendorId)
  const day = useDayOf(vendor)
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
      <CartBody cart={cart} vendor={vendor} />
      <CheckoutButton cart={cart} vendor={vendor} />
      <div className="mt-1 flex items-center justify-between gap-2 text-label text-ink-2">
        {day && (
          <p className="flex items-center gap-2">
            <TruckIcon size={18} aria-hidden="true" />
            {day}
          </p>
        )}
        <ClearButton />
      </div>
    </>
  )
}

/** The same as a sheet over the page; its action does not scroll. */
export function CartSheet({ onClose }: { onClose(): void }) {
  const words = useLanguage()
  const { t } = words
  const nameIn = useNameIn()
  const cart = usePricedCart()
  const vendor = useVendor(cart.vendorId)
  const area = useDeliveryArea()
  const day = useDayOf(vendor)
  const given = cart.items.reduce((sum, { empties }) => sum + empties, 0)
  return (
    <Sheet
      label={t('cart.label')}
      title={vendor ? t('cart.titleOf', { vendor: nameIn(vendor) }) : t('cart.title')}
      hint={
        day && (
          <span className="dots">
            <span>{day}</span>
            {area && <span>{t('cart.to', { area: nameIn(area) })}</span>}
          </span>
        )
      }
      closeLabel={t('cart.close')}
      onClose={onClose}
      focused="button"
      foot={
        <>
          <p className="mb-2 flex justify-between gap-3">
            <span className="dots text-ink-2">
              <span>{sumText(words, cart.items)}</span>
              {given > 0 && <span>{t('bottles.givesCount', { count: given })}</span>}
            </span>
            <Money bhd={cart.total} className="font-strong" />
          </p>
          <CheckoutButton cart={cart} vendor={vendor} />
        </>
      }
    >
      <CartBody cart={cart} vendor={vendor} />
      <div className="flex justify-end text-label text-ink-2">
        <ClearButton />
      </div>
      <ParkedCart cart={cart} />
    </Sheet>
  )
}

/** Delivery day, unless the vendor does not deliver to the chosen area. */
function useDayOf(vendor: Vendor | null) {
  const { t } = useLanguage()
  const dayWords = useDayWords()
  const area = useDeliveryArea()
  const isPromised = vendor !== null && (area === null || deliversTo(area, vendor.id))
  return isPromised ? t('cart.arrives', { day: dayWords(slotOf(vendor)) }) : null
}

interface CartProps {
  cart: Cart
  vendor: Vendor | null
}

function CartBody({ cart, vendor }: CartProps) {
  return (
    <>
      <CartLines cart={cart} />
      {vendor && missing(cart, vendor) > 0 && <MinimumNotice cart={cart} vendor={vendor} />}
      <div className="pt-3 pb-3.5">
        <SumLines sums={cart} />
      </div>
      <OutsideNotice />
    </>
  )
}

function ClearButton() {
  const t = useT()
  const { clearAll } = useCartActions()
  return (
    <button
      type="button"
      onClick={() => void clearAll()}
      className="ms-auto -me-1 min-h-tap shrink-0 px-1 underline underline-offset-3 hover:text-ink"
    >
      {t('cart.clear')}
    </button>
  )
}

/** What is missing to the minimum, with ways to reach it by one press. */
function MinimumNotice({ cart, vendor }: { cart: Cart; vendor: Vendor }) {
  const words = useLanguage()
  const { t, lang } = words
  const id = useId()
  const nameIn = useNameIn()
  const sizedName = useSizedName()
  const { data: products = [] } = useQuery(productsQuery())
  const { setQuantity } = useCartActions()
  const left = missing(cart, vendor)
  const amount = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  return (
    <div className="border-b border-line py-3.5">
      <p role="status" className="leading-normal font-strong">
        {t('cart.minimumOf', {
          amount: amount(left),
          vendor: nameIn(vendor),
          minimum: amount(vendor.minDeliveryAmount),
        })}
      </p>
      <Progress
        value={cart.subtotal / vendor.minDeliveryAmount}
        label={t('cart.minimumProgress')}
        className="mt-2 mb-1"
      />
      <ul aria-label={t('cart.proposals')}>
        {proposalsFor(cart, products, fromBhd(left)).map(({ product, count, amount: sum }, index) => (
          <li key={product.id} className="flex items-center gap-3 border-t border-line py-2.5 first:border-t-0">
            <ProductThumb size={product.size} imageUrl={product.imageUrl} tint={vendor.tint} px={48} />
            <p id={`${id}-${product.id}`} className="min-w-0 flex-1 text-label leading-normal text-ink-3">
              <b className="block text-ink">
                <bdi className="whitespace-normal">{countText(words, product, count)}</bdi>
              </b>{' '}
              <bdi dir="auto">{sizedName(product)}</bdi>
            </p>
            <Button
              id={`${id}-${product.id}-add`}
              aria-labelledby={`${id}-${product.id}-add ${id}-${product.id}`}
              tone={index === 0 ? 'aqua' : 'quiet'}
              className="shrink-0 px-3"
              onClick={() => setQuantity(product, quantityOf(cart, product.id) + count)}
            >
              <bdi>{t('cart.proposalAdd', { amount: formatAmount(sum) })}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
