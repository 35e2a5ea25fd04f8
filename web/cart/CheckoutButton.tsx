import { isAskedForEmpties } from '@qatra/contract/bottles'
import type { Cart } from '@qatra/contract/cart/cart'
import { formatAmount, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../lib/current-user.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { useCartContext } from './CartProvider.tsx'
import { missing } from './CartSums.tsx'
import { useOutside } from './outside.ts'
import { lineOf } from './view.ts'

interface CheckoutProps {
  cart: Cart
  vendor: Vendor | null
}

/** Flushes pending changes, then opens the checkout, or the sign-in page for a guest. */
function useCheckout() {
  const user = useUser()
  const navigate = useNavigate()
  const { sync } = useCartContext()
  const [isBusy, setBusy] = useState(false)
  async function go() {
    setBusy(true)
    await sync.flush()
    await (user ? navigate({ to: '/checkout' }) : navigate({ to: '/login', search: { redirect: '/checkout' } }))
    setBusy(false)
  }
  return { isBusy, go }
}

const hasUnavailable = ({ items }: Cart) => items.some(({ isAvailable }) => !isAvailable)

/** Whether the cart can be ordered as it is. Its vendor must also deliver to the chosen area (`useOutside`). */
export const isReady = (cart: Cart, vendor: Vendor | null) =>
  vendor !== null && missing(cart, vendor) === 0 && !hasUnavailable(cart)

/** Whether a new customer has seen neither the deposit nor the question for empty bottles: the whole cart shows both. */
export const hidesQuestion = ({ items, free }: Cart) => items.some((item) => isAskedForEmpties(item, free))

/** For a cart that can be ordered: with the sum that will be paid, fee and VAT included. */
export function QuickCheckout({ cart }: { cart: Cart }) {
  const t = useT()
  const { isBusy, go } = useCheckout()
  return (
    <Button tone="aqua" busy={isBusy} className="min-h-12 max-w-full shrink-0" onClick={() => void go()}>
      <bdi>{t('cart.checkoutSum', { amount: formatAmount(fromBhd(cart.total)) })}</bdi>
    </Button>
  )
}

export function CheckoutButton({ cart, vendor }: CheckoutProps) {
  const { t, lang } = useLanguage()
  const { isBusy, go } = useCheckout()
  const { askSwitch } = useCartContext()
  const { outside, firstOutside } = useOutside()
  const left = missing(cart, vendor)
  const hasGone = hasUnavailable(cart)
  const short = left > 0 ? t('cart.minimumAdd', { amount: formatMoney(fromBhd(left), lang) }) : null
  const reason = hasGone ? t('cart.unavailableReason') : short
  /** The address may be another one than the chosen area: after the offer of a swap the checkout opens. */
  function press() {
    const [first] = cart.items
    const area = first && firstOutside(first.vendorId)
    if (area) askSwitch({ product: lineOf(first), quantity: first.quantity, outside: area })
    else void go()
  }
  return (
    <Button
      tone={outside(cart.vendorId) ? 'quiet' : 'aqua'}
      size="big"
      busy={isBusy}
      reason={reason}
      reasonShown={!hasGone}
      onClick={press}
    >
      {hasGone ? t('cart.checkout') : (short ?? t('cart.checkout'))}
    </Button>
  )
}
