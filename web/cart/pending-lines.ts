import type { Cart } from '@qatra/contract/cart/cart'
import { tabStore } from '../lib/site-data.ts'
import type { PendingLine } from './sync.ts'
import type { Wanted } from './view.ts'

const key = 'cart.pending'
/** Longer than a page load on a slow connection. */
const LIFE_MS = 30_000

interface StoredLines {
  cartId: Cart['id']
  at: number
  lines: PendingLine[]
}

/**
 * Stores pending quantities of this tab. `pagehide` fires after the server has rendered the next page, which therefore
 * shows the cart before the change.
 */
export function savePendingLines(cartId: Cart['id'], wanted: Wanted) {
  const lines = [...wanted.values()].map(({ product, quantity }) => ({ product, quantity }))
  if (lines.length === 0) tabStore.removeItem(key)
  else tabStore.setItem(key, JSON.stringify({ cartId, at: Date.now(), lines } satisfies StoredLines))
}

/** Pending lines that the previous page stored for the same cart. */
export function readPendingLines(cartId: Cart['id']): PendingLine[] {
  const stored = tabStore.readJson(key) as StoredLines | null // written only by savePendingLines
  if (!stored || Date.now() - stored.at > LIFE_MS) return []
  return stored.cartId === null || stored.cartId === cartId ? stored.lines : []
}
