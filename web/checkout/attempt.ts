import type { Cart } from '@qatra/contract/cart/cart'
import type { Store } from '../lib/site-data.ts'

const STORAGE_KEY = 'checkout'

type AttemptStore = Pick<Store, 'getItem' | 'setItem' | 'removeItem'>
type CartState = Pick<Cart, 'id' | 'version'>

/**
 * Idempotency key of this checkout. It stays the same for a version of the cart across retries and reloads, so that the
 * cart becomes one order. A changed cart gets a new key.
 */
export function attemptKey(cart: CartState, store: AttemptStore): string {
  const cartVersion = `${cart.id}:${cart.version}`
  const [storedVersion, storedKey] = (store.getItem(STORAGE_KEY) ?? '').split(' ')
  if (storedVersion === cartVersion && storedKey) return storedKey
  const key = crypto.randomUUID()
  store.setItem(STORAGE_KEY, `${cartVersion} ${key}`)
  return key
}

export const endAttempt = (store: AttemptStore) => store.removeItem(STORAGE_KEY)
