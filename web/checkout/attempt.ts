import type { Cart } from '@qatra/contract/cart'
import type { Store } from '../app/site-data.ts'

const KEPT = 'checkout'

type Kept = Pick<Store, 'getItem' | 'setItem' | 'removeItem'>
type CartState = Pick<Cart, 'id' | 'version'>

/**
 * Idempotency key of this checkout. It stays the same for a version of the cart across retries and reloads, so that the
 * cart becomes one order. A changed cart gets a new key.
 */
export function attemptKey(cart: CartState, kept: Kept): string {
  const about = `${cart.id}:${cart.version}`
  const [keptAbout, keptKey] = (kept.getItem(KEPT) ?? '').split(' ')
  if (keptAbout === about && keptKey) return keptKey
  const key = newKey()
  kept.setItem(KEPT, `${about} ${key}`)
  return key
}

export const endAttempt = (kept: Kept) => kept.removeItem(KEPT)

/** `randomUUID` exists over https only. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
