import type { QueryClient } from '@tanstack/react-query'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { cartQuery } from './api.ts'
import { useCart } from './CartProvider.tsx'
import type { CartView } from './view.ts'

async function importFilledCart() {
  const [{ MiniCart }, { FullCart }, { ParkedCart }, { OutsideNotice }] = await Promise.all([
    import('./MiniCart.tsx'),
    import('./FullCart.tsx'),
    import('./ParkedCart.tsx'),
    import('./OutsideNotice.tsx'),
    loadMessageGroups(['cart', 'bottles']),
  ])
  return { MiniCart, FullCart, ParkedCart, OutsideNotice }
}

let loaded: Awaited<ReturnType<typeof importFilledCart>> | null = null
async function load() {
  loaded = await importFilledCart()
  return loaded
}

/** A first visit has neither and does not load the components. */
const isFilled = ({ items, parked }: CartView) => items.length > 0 || parked !== null

/** For the `load` of pages that show the cart: the cart and, if it is filled, its components. */
export async function loadCart(queries: QueryClient) {
  const cart = await queries.ensureQueryData(cartQuery())
  // After a failure `useFilledCart` tries again.
  if (isFilled(cart)) await load().catch(() => undefined)
}

/** The components of a cart with items, or with a parked one. */
export const useFilledCart = () => useChunk(load, { need: isFilled(useCart()), loaded })
