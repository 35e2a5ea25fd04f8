import type { Cart } from '@qatra/contract/cart'
import { formatMoney, fromBhd } from '@qatra/contract/money'
import type { Vendor } from '@qatra/contract/vendors'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../app/i18n.tsx'
import { useUser } from '../app/session.ts'
import { Button } from '../ui/Button.tsx'
import { useCartContext } from './CartProvider.tsx'
import { missing } from './CartSums.tsx'

/** Flushes pending changes, then opens the checkout, or the sign-in page for a guest. */
export function CheckoutButton({ cart, vendor }: { cart: Cart; vendor: Vendor | null }) {
  const { t, lang } = useLanguage()
  const user = useUser()
  const navigate = useNavigate()
  const { sync } = useCartContext()
  const [isBusy, setBusy] = useState(false)
  const left = missing(cart, vendor)
  const hasGone = cart.items.some(({ isAvailable }) => !isAvailable)
  const short = left > 0 ? t('cart.minimumAdd', { amount: formatMoney(fromBhd(left), lang) }) : null
  const reason = hasGone ? t('cart.unavailableReason') : short

  async function go() {
    setBusy(true)
    await sync.flush()
    await (user ? navigate({ to: '/checkout' }) : navigate({ to: '/login', search: { redirect: '/checkout' } }))
    setBusy(false)
  }
  return (
    <Button tone="aqua" size="big" busy={isBusy} reason={reason} reasonShown={!hasGone} onClick={() => void go()}>
      {hasGone ? t('cart.checkout') : (short ?? t('cart.checkout'))}
    </Button>
  )
}
