import { useT } from '../lib/language/i18n.tsx'
import { Bottle } from '../ui/Bottle.tsx'
import { CartIcon } from '../ui/icons.tsx'
import { useCart } from './CartProvider.tsx'
import { useFilledCart } from './filled-cart.ts'

/** The cart beside the catalogue on wide screens; narrow ones use the mini cart. */
export function CartPanel() {
  const t = useT()
  const cart = useCart()
  const filledCart = useFilledCart()
  return (
    <aside
      aria-label={t('cart.label')}
      className="sticky top-6 hidden max-h-[calc(100dvh-48px)] overflow-y-auto rounded-l bg-surface p-5 shadow-float lg:block"
    >
      {cart.items.length > 0 && filledCart ? <filledCart.FullCart /> : <EmptyCart />}
      {filledCart && <filledCart.ParkedCart cart={cart} />}
    </aside>
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
