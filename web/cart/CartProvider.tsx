import { type Cart, emptyCart, getCart } from '@qatra/contract/cart/cart'
import type { AreaSummary } from '@qatra/contract/places/areas'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Atom, createAtom } from '@tanstack/react-store'
import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { onRouteChange } from '../app/routes/route-change.ts'
import { beforeSignOut, onPersonChanged } from '../app/session/session.ts'
import type { ProductLine } from '../catalogue/product-line.ts'
import { useT } from '../lib/language/i18n.tsx'
import { tabStore } from '../lib/site-data.ts'
import { cacheCart, cachedCart, cartQuery, lineCalls, refetchCart } from './api.ts'
import { showCartError } from './errors.ts'
import { type CartAction, type CartSync, createCartSync, type PendingLine } from './sync.ts'
import { type CartView, cartView, type Wanted } from './view.ts'

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
function savePendingLines(cartId: Cart['id'], wanted: Wanted) {
  const lines = [...wanted.values()].map(({ product, quantity, empties }) => ({ product, quantity, empties }))
  if (lines.length === 0) tabStore.removeItem(key)
  else tabStore.setItem(key, JSON.stringify({ cartId, at: Date.now(), lines } satisfies StoredLines))
}

/** Pending lines that the previous page stored for the same cart. */
function readPendingLines(cartId: Cart['id']): PendingLine[] {
  const stored = tabStore.readJson(key) as StoredLines | null // written only by savePendingLines
  if (!stored || Date.now() - stored.at > LIFE_MS) return []
  return stored.cartId === null || stored.cartId === cartId ? stored.lines : []
}

/** A product of another vendor, or of one that does not deliver to the area, pending the answer of a dialog. */
export interface PendingSwitch {
  product: ProductLine
  quantity: number
  /** Added after the switch. */
  more?: readonly CartAddition[]
  /** The vendor does not deliver there, and a swap is offered. */
  outside?: AreaSummary
}

export interface CartAddition {
  product: ProductLine
  quantity: number
}

interface CartStore {
  sync: CartSync
  /** The server's last answer with the pending changes. Rendered later: what acts on the cart reads it here. */
  cart: Atom<CartView>
  onCart: (listener: () => void) => () => void
  /** As the server has rendered it: a part of the page may be hydrated after the cart has changed. */
  initial: CartView
  /** After a change of what the server has answered. */
  renew: () => void
}

interface CartContextValue extends CartStore {
  pendingSwitch: PendingSwitch | null
  askSwitch: (pending: PendingSwitch | null) => void
}

const CartContext = createContext<CartContextValue | null>(null)
const RenderedCart = createContext<CartView>(emptyCart)

function createStore(queries: QueryClient, failed: (error: unknown, action: CartAction) => void): CartStore {
  const view = () => cartView(cachedCart(queries), sync.wanted())
  const renew = () => cart.set(view())
  const sync = createCartSync({
    calls: lineCalls,
    server: () => cachedCart(queries),
    answered: (cart) => void cacheCart(queries, cart),
    changed: () => {
      renew()
      savePendingLines(cachedCart(queries).id, sync.wanted())
    },
    failed,
  })
  const cart = createAtom<CartView>(view())
  return { sync, cart, renew, initial: cart.get(), onCart: (listener) => cart.subscribe(listener).unsubscribe }
}

/**
 * One cart for the whole page. Pending changes are flushed on navigation, before a sign-out, and when the page is hidden
 * or left.
 */
export function CartProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const t = useT()
  const [pendingSwitch, askSwitch] = useState<PendingSwitch | null>(null)
  // Errors use the language at the time of the error.
  const words = useRef(t)
  words.current = t
  const store = useMemo(
    () =>
      createStore(queries, (error, action) => {
        showCartError(error, action, words.current)
        void refetchCart(queries).catch(() => undefined)
      }),
    [queries],
  )
  useEffect(() => {
    const { sync } = store
    const leave = () => {
      if (document.visibilityState === 'hidden') void sync.flush(true)
    }
    document.addEventListener('visibilitychange', leave)
    void sync.resume(readPendingLines(cachedCart(queries).id), () => refetchCart(queries)).catch(() => undefined)
    const stopRoutes = onRouteChange(() => void sync.flush())
    const stopSettling = beforeSignOut(() => sync.flush())
    const stopPerson = onPersonChanged(() => sync.forget())
    return () => {
      document.removeEventListener('visibilitychange', leave)
      stopRoutes()
      stopSettling()
      stopPerson()
    }
  }, [store, queries])
  const value = useMemo(() => ({ ...store, pendingSwitch, askSwitch }), [store, pendingSwitch])
  return (
    <CartContext value={value}>
      <RenderedCart value={useRenderedCart(store)}>{children}</RenderedCart>
    </CartContext>
  )
}

export function useCartContext(): CartContextValue {
  const value = useContext(CartContext)
  if (!value) throw new Error('CartProvider is missing')
  return value
}

/** Renders the cart without haste: a pressed control, which reads the atom, is painted before all else that shows the cart. */
function useRenderedCart({ cart, renew }: CartStore): CartView {
  const queries = useQueryClient()
  const [rendered, setRendered] = useState(() => cart.get())
  // Only asks: answers reach the page by the atom.
  useQuery({ ...cartQuery(), notifyOnChangeProps: [] })
  useEffect(() => {
    const show = () => startTransition(() => setRendered(cart.get()))
    const shown = cart.subscribe(show)
    const stopAnswers = queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === getCart.path) renew()
    })
    renew()
    show()
    return () => {
      shown.unsubscribe()
      stopAnswers()
    }
  }, [cart, renew, queries])
  return rendered
}

/** The cart as it is rendered: pending changes are in it from the next frame on. */
export const useCart = (): CartView => useContext(RenderedCart)
