import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import type { HomeSearch } from '../app/routes/search.ts'
import type { ProductLine } from '../catalogue/product-line.ts'
import { useCartContext } from './CartProvider.tsx'
import { useOutside } from './outside.ts'
import { quantityOf } from './view.ts'

/** How the catalogue changes the cart. */
export function useQuantities() {
  const { sync, cart: current, askSwitch } = useCartContext()
  const showAllVendors = useAllVendors()
  const { firstOutside } = useOutside()

  const setQuantity = useSame((product: ProductLine, quantity: number) => {
    const cart = current.get()
    const added = quantity - quantityOf(cart, product.id)
    const area = added > 0 ? firstOutside(product.vendorId) : undefined
    if (area || (quantity > 0 && cart.vendorId !== null && cart.vendorId !== product.vendorId)) {
      askSwitch({ product, quantity, ...(area ? { outside: area } : {}) })
      return
    }
    if (added > 0) track('add_to_cart', { item: trackedItem(product, added) })
    sync.want(product, quantity)
    if (quantity <= 0 && cart.items.every(({ productId }) => productId === product.id)) showAllVendors()
  })

  return { setQuantity, showAllVendors }
}

/** Returns a stable function that calls the latest one, so that product cards do not render with every cart change. */
function useSame<Given extends unknown[]>(callback: (...given: Given) => void) {
  const latest = useRef(callback)
  latest.current = callback
  return useCallback((...given: Given) => latest.current(...given), [])
}

/** An empty cart has no vendor, so the vendor filter is removed. */
function useAllVendors() {
  const navigate = useNavigate()
  const isHome = useRouterState({ select: ({ location }) => location.pathname === '/' })
  return () => {
    if (!isHome) return
    void navigate({
      to: '/',
      search: (old: HomeSearch) => ({ ...old, vendor: undefined }),
      replace: true,
      resetScroll: false,
    })
  }
}
