import {
  addToCart,
  type Cart,
  clearCart,
  emptyCart,
  getCart,
  removeCartItem,
  restoreCart,
  switchCart,
  updateCartItem,
} from '@qatra/contract/cart/cart'
import type { QueryClient } from '@tanstack/react-query'
import type { ProductLine } from '../catalogue/product-line.ts'
import { call, read } from '../lib/api-client.ts'
import type { CartCalls } from './sync.ts'
import { isOlder } from './view.ts'

/** A read that was overtaken by a change never replaces the newer cart. */
const newest = (known: Cart | undefined, read: Cart) => (known && isOlder(read, known) ? known : read)
// TanStack Query does not type the data of this option.
export const cartQuery = () => ({
  ...read(getCart),
  structuralSharing: newest as (known: unknown, read: unknown) => Cart,
})

export const cachedCart = (queries: QueryClient): Cart => queries.getQueryData(cartQuery().queryKey) ?? emptyCart
export const cacheCart = (queries: QueryClient, cart: Cart) => queries.setQueryData(cartQuery().queryKey, cart)
export const refetchCart = (queries: QueryClient) => queries.fetchQuery({ ...cartQuery(), staleTime: 0 })

export const lineCalls: CartCalls = {
  add: (product, quantity) =>
    call(addToCart, { body: { productId: product.id, vendorId: product.vendorId, quantity, size: product.size } }),
  update: (itemId, { quantity, empties }, leaving) =>
    call(updateCartItem, { params: { itemId: String(itemId) }, body: { quantity, empties } }, { keepalive: leaving }),
  remove: (itemId, leaving) => call(removeCartItem, { params: { itemId: String(itemId) } }, { keepalive: leaving }),
}

export const clear = () => call(clearCart, {})
export const restore = () => call(restoreCart, {})
export const startWith = (product: ProductLine, quantity: number) =>
  call(switchCart, { body: { productId: product.id, quantity } })
