import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import { useT } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import type { HomeSearch } from '../app/search.ts'
import { toast } from '../ui/Toast.tsx'
import { cacheCart, clear, restore, startWith } from './api.ts'
import { type PendingSwitch, useCart, useCartContext } from './CartProvider.tsx'
import { showCartError } from './errors.ts'
import { lineOf, type ProductLine } from './view.ts'

/** Actions on the cart. */
export function useCartActions() {
  const { sync, askSwitch } = useCartContext()
  const cart = useCart()
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const showAllVendors = useAllVendors()

  const setQuantity = useSame((product: ProductLine, quantity: number) => {
    if (quantity > 0 && cart.vendorId !== null && cart.vendorId !== product.vendorId) {
      askSwitch({ product, quantity })
      return
    }
    const added = quantity - (cart.items.find(({ productId }) => productId === product.id)?.quantity ?? 0)
    if (added > 0) track('add_to_cart', { item: trackedItem(product, added) })
    sync.want(product, quantity)
    if (quantity <= 0 && cart.items.every(({ productId }) => productId === product.id)) showAllVendors()
  })

  function remove(product: ProductLine, quantity: number) {
    setQuantity(product, 0)
    toast({
      title: t('cart.removed', { name: nameIn(product) }),
      action: { label: t('ui.undo'), onAct: () => sync.want(product, quantity) },
    })
  }

  async function clearAll() {
    const before = cart.items
    try {
      await sync.flush()
      cacheCart(queries, await clear())
      showAllVendors()
      const undo = () => {
        for (const item of before) if (item.isAvailable) sync.want(lineOf(item), item.quantity)
      }
      toast({ title: t('cart.cleared'), action: { label: t('ui.undo'), onAct: undo } })
    } catch (error) {
      showCartError(error, 'clear', t)
    }
  }

  async function bringBack() {
    try {
      await sync.flush()
      cacheCart(queries, await restore())
      toast({ title: t('cart.restored') })
    } catch (error) {
      showCartError(error, 'restore', t)
    }
  }

  async function switchTo({ product, quantity }: PendingSwitch, vendorName: string) {
    try {
      await sync.flush()
      cacheCart(queries, await startWith(product, quantity))
      track('add_to_cart', { item: trackedItem(product, quantity) })
      askSwitch(null)
      toast({
        title: t('cart.switched', { vendor: vendorName }),
        action: { label: t('ui.undo'), onAct: () => void bringBack() },
      })
    } catch (error) {
      showCartError(error, 'switch', t)
    }
  }

  return { cart, setQuantity, remove, clearAll, bringBack, switchTo }
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
