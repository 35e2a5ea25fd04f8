import { isAskedForEmpties } from '@qatra/contract/bottles'
import type { Cart, CartItem } from '@qatra/contract/cart/cart'
import { formatMoney, fromBhd, timesFils, toBhd } from '@qatra/contract/lib/money'
import { eachText } from '@qatra/contract/products/unit-text'
import { useNameIn, useSizedName } from '../app/names.ts'
import { useVendor } from '../catalogue/api.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { ProductThumb } from '../ui/ProductPicture.tsx'
import { Quantity } from '../ui/Units.tsx'
import { LineBottles } from './LineBottles.tsx'
import { QuantityStepper } from './QuantityStepper.tsx'
import { useCartActions } from './use-cart-actions.ts'
import { lineOf } from './view.ts'

export function CartLines({ cart }: { cart: Cart }) {
  return (
    <ul>
      {cart.items.map((item) => (
        <CartLine key={item.productId} item={item} isAsked={isAskedForEmpties(item, cart.free)} />
      ))}
    </ul>
  )
}

function CartLine({ item, isAsked }: { item: CartItem; isAsked: boolean }) {
  const words = useLanguage()
  const { t, lang } = words
  const nameIn = useNameIn()
  const vendor = useVendor(item.vendorId)
  const { setQuantity, setEmpties, remove } = useCartActions()
  const name = nameIn(item)
  const sizedName = useSizedName()(item)
  const product = lineOf(item)
  return (
    <li className="grid grid-cols-[56px_minmax(0,1fr)] gap-x-3 border-b border-line pt-4 pb-3">
      <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={vendor?.tint ?? null} />
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-3 text-[0.9375rem] leading-[1.5]">
          <h3 dir="auto" className="min-w-0 text-start">
            {name}
          </h3>
          <Money bhd={toBhd(timesFils(fromBhd(item.price), item.quantity))} className="font-strong" />
        </div>
        <p className="text-label leading-[1.5] text-ink-3">
          <Quantity of={item} count={item.quantity} />
          {item.quantity > 1 && (
            <bdi className="block">{eachText(words, item, formatMoney(fromBhd(item.price), lang))}</bdi>
          )}
        </p>
        {item.isAvailable ? null : <p className="text-label text-clay">{t('cart.unavailable')}</p>}
        <div className="mt-1.5 flex items-center justify-between gap-3">
          {item.isAvailable ? (
            <QuantityStepper
              productId={product.id}
              name={sizedName}
              onChange={(quantity) => (quantity > 0 ? setQuantity(product, quantity) : remove(product))}
              className="w-33"
            />
          ) : (
            <span />
          )}
          <button
            type="button"
            aria-label={t('cart.removeOf', { name: sizedName })}
            onClick={() => remove(product)}
            className="min-h-tap min-w-tap px-1 text-label text-ink-2 underline underline-offset-3 hover:text-ink"
          >
            {t('cart.remove')}
          </button>
        </div>
      </div>
      {item.bottle?.terms === 'exchange' && item.isAvailable && (
        <div className="col-span-2 mt-3">
          <LineBottles
            name={sizedName}
            quantity={item.quantity}
            empties={item.empties}
            each={item.bottle.deposit}
            held={item.held}
            isAsked={isAsked}
            onChange={(empties) => setEmpties(product, empties)}
          />
        </div>
      )}
    </li>
  )
}
