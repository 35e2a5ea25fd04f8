import { initiateCheckout } from '@qatra/contract/analytics'
import type { User } from '@qatra/contract/auth'
import type { Cart } from '@qatra/contract/cart'
import { track } from '../analytics/events.ts'
import { trackedItems } from '../analytics/items.ts'
import { call } from '../app/call.ts'

/** Tells of a checkout that began; nobody waits for it and its failure is nobody's concern. */
export function beginCheckout(cart: Cart, { id: userId, phone: userPhone }: User) {
  const products = trackedItems(cart)
  track('begin_checkout', { cartId: cart.id, totalValue: cart.total, products })
  const body = { cartValue: cart.total, currency: 'BHD', products, userPhone, userEmail: '', userId }
  call(initiateCheckout, { body }).catch(() => undefined)
}
