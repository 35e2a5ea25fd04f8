import { initiateCheckout } from '@qatra/contract/analytics'
import type { User } from '@qatra/contract/auth'
import type { Cart } from '@qatra/contract/cart'
import { track } from '../analytics/events.ts'
import { call } from '../app/call.ts'

/** Tells of a checkout that began; nobody waits for it and its failure is nobody's concern. */
export function beginCheckout(cart: Cart, user: User) {
  const products = cart.items.map(({ productId, name, size, price, quantity, vendorId }) => ({
    ...{ productId, name, price, quantity, vendorId },
    category: size,
  }))
  track('begin_checkout', { cartId: cart.id, totalValue: cart.total, products })
  const body = {
    cartValue: cart.total,
    currency: 'BHD',
    products,
    userPhone: user.phone,
    userEmail: '',
    userId: user.id,
  }
  call(initiateCheckout, { body }).catch(() => undefined)
}
