import { initiateCheckout } from '@qatra/contract/analytics'
import type { Cart } from '@qatra/contract/cart/cart'
import type { User } from '@qatra/contract/users/auth'
import { track } from '../analytics/events.ts'
import { trackedItems } from '../analytics/items.ts'
import { call } from '../lib/api-client.ts'

/** Reports the begin of a checkout, without waiting for the answer or handling its failure. */
export function beginCheckout(cart: Cart, { id: userId, phone: userPhone }: User) {
  const products = trackedItems(cart)
  track('begin_checkout', { cartId: cart.id, totalValue: cart.total, products })
  const body = { cartValue: cart.total, currency: 'BHD', products, userPhone, userEmail: '', userId }
  call(initiateCheckout, { body }).catch(() => undefined)
}
