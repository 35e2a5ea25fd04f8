import { formatAmount, formatMoney } from '@qatra/contract/lib/money'
import { isolated } from '@qatra/contract/lib/text'
import type { Order } from '@qatra/contract/orders/orders'
import { lastItems, usualItems } from '@qatra/contract/orders/usual-items'
import { sumText } from '@qatra/contract/products/unit-text'
import { useQuery } from '@tanstack/react-query'
import { track } from '../../analytics/events.ts'
import { trackedItem } from '../../analytics/items.ts'
import { type CartAddition, useCart, useCartContext } from '../../cart/CartProvider.tsx'
import { useAddedTotal } from '../../cart/priced-cart.ts'
import { quantityOf } from '../../cart/view.ts'
import { productsQuery, useVendor } from '../../catalogue/api.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { tiedDots } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { AgainRow } from './AgainRow.tsx'

/** Of the usual items, or with no habit of the last order's, those that are on sale, at today's prices. */
export function useUsual(orders: readonly Order[]) {
  const { data: products = [] } = useQuery(productsQuery())
  const habit = usualItems(orders)
  const items = habit.length > 0 ? habit : lastItems(orders)
  const usual: CartAddition[] = items.flatMap(({ productId, quantity }) => {
    const product = products.find(({ id }) => id === productId)
    return product ? [{ product, quantity }] : []
  })
  return { usual, isHabit: habit.length > 0 }
}

/** Puts several products of one vendor into the cart, at least in the given quantities; asks before it switches vendors. */
function useAddAll() {
  const cart = useCart()
  const { sync, cart: current, askSwitch } = useCartContext()
  return {
    hasAll: (additions: readonly CartAddition[]) =>
      additions.every(({ product, quantity }) => quantityOf(cart, product.id) >= quantity),
    addAll(additions: readonly CartAddition[]) {
      const [first, ...more] = additions
      if (!first) return
      const { vendorId } = current.get()
      if (vendorId !== null && vendorId !== first.product.vendorId) return askSwitch({ ...first, more })
      for (const { product, quantity } of additions) {
        const added = quantity - quantityOf(current.get(), product.id)
        if (added <= 0) continue
        track('add_to_cart', { item: trackedItem(product, added) })
        sync.want(product, quantity)
      }
    },
  }
}

/** What the customer usually orders or ordered last, with a button that puts all of it into the cart. */
export function UsualOrder({ usual, isHabit }: { usual: readonly CartAddition[]; isHabit: boolean }) {
  const words = useLanguage()
  const { t, lang } = words
  const { hasAll, addAll } = useAddAll()
  const vendor = useVendor(usual[0]?.product.vendorId ?? null)
  const { total, deposit } = useAddedTotal(usual)
  const isAdded = hasAll(usual)
  const items = sumText(
    words,
    usual.map(({ product, quantity }) => ({ ...product, quantity })),
  )
  return (
    <AgainRow
      id="usual"
      items={usual.map(({ product }) => product)}
      tint={vendor?.tint ?? null}
      title={t(isHabit ? 'usual.title' : 'again.last')}
      text={deposit > 0 ? tiedDots(t('usual.deposit', { items, amount: isolated(formatMoney(deposit, lang)) })) : items}
    >
      {isAdded ? (
        <p role="status" className="flex min-h-tap shrink-0 items-center gap-1.5 px-2 font-strong text-ink-2">
          <CheckIcon size={20} aria-hidden="true" />
          {t('usual.added')}
        </p>
      ) : (
        <Button
          id="usual-add"
          className="shrink-0 max-sm:px-3"
          aria-labelledby="usual-add usual"
          onClick={() => addAll(usual)}
        >
          <bdi>{t('usual.add', { amount: formatAmount(total) })}</bdi>
        </Button>
      )}
    </AgainRow>
  )
}
