import { type Cart, emptyCart, getCart, updateCartItem } from '@qatra/contract/cart/cart'
import { logout } from '@qatra/contract/users/auth'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueries } from '../app/queries.ts'
import { signOut } from '../app/session/session.ts'
import { fakeShop } from '../checkout/test-shop.tsx'
import { fetchKey } from '../lib/api-client.ts'
import { setCookie } from '../lib/site-data.ts'
import { renderIn } from '../ui/test-page.tsx'
import { cacheCart } from './api.ts'
import { CartProvider, useCartContext } from './CartProvider.tsx'
import { pricedCart } from './priced-cart.ts'
import type { CartSync } from './sync.ts'
import { cartView } from './view.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCookie('sign-out', '', 0)
})

const line = {
  id: 1,
  vendorId: 1,
  name: 'Water',
  nameAr: null,
  size: '500ml',
  price: 1.35,
  imageUrl: null,
  vatPercentage: 0,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
}
const cartOf = (quantity: number, version: number): Cart => ({
  ...pricedCart(cartView({ ...emptyCart, id: 9 }, new Map([[1, { quantity, product: line }]])), 1),
  version,
})

it('a sign-out first sends a changed quantity, while the session still exists', async () => {
  const order: string[] = []
  const shop = fakeShop()
  shop.on(listVendors, () => [])
  shop.on(getCart, () => emptyCart)
  shop.on(updateCartItem, ({ body }) => {
    order.push(`quantity ${JSON.stringify(body)}`)
    return cartOf(5, 2)
  })
  shop.on(logout, () => {
    order.push('sign-out')
    return { success: true as const }
  })
  const queries = createQueries(fetchKey)
  cacheCart(queries, cartOf(1, 1))
  let sync: CartSync | null = null
  function Probe() {
    sync = useCartContext().sync
    return null
  }
  await renderIn(
    'en',
    <QueryClientProvider client={queries}>
      <CartProvider>
        <Probe />
      </CartProvider>
    </QueryClientProvider>,
  )
  act(() => sync?.want(line, 5))
  await act(() => signOut(queries))
  expect(order).toEqual(['quantity {"quantity":5}', 'sign-out'])
})
