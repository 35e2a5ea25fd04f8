import type { Cart } from '@qatra/contract/cart/cart'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useNameIn } from '../app/names.ts'
import { missing } from '../cart/CartSums.tsx'
import { useLanguage } from '../lib/language/i18n.tsx'
import type { Coverage } from './coverage.ts'

/** Why the order cannot be placed, as text for the button; null if it can. */
export function useReasonOff(cart: Cart, vendor: Vendor | null, coverage: Coverage): string | null {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  if (cart.items.some(({ isAvailable }) => !isAvailable)) return t('cart.unavailableReason')
  const left = missing(cart, vendor)
  if (left > 0) return t('cart.minimumLeft', { amount: formatMoney(fromBhd(left), lang) })
  switch (coverage.state) {
    case 'idle':
      return t('checkout.error.addressHint')
    case 'checking':
      return t('checkout.coverage.checking')
    case 'refuses':
      return t('checkout.coverage.refusesTitle', { area: nameIn(coverage.area) })
    case 'outside':
      return t('checkout.coverage.outside')
    case 'error':
      return t('checkout.coverage.error')
    case 'delivers':
      return null
  }
}
