import { useQueryClient } from '@tanstack/react-query'
import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import { useNameIn } from '../app/names.ts'
import type { ProductLine } from '../catalogue/product-line.ts'
import { useT } from '../lib/language/i18n.tsx'
import { toast } from '../ui/Toast.tsx'
import { cacheCart, clear, restore, startWith } from './api.ts'
import { type PendingSwitch, useCartContext } from './CartProvider.tsx'
import { showCartError } from './errors.ts'
import { useQuantities } from './use-quantities.ts'
import { lineOf, quantityOf } from './view.ts'

/** Actions on a cart with items, or with a parked one. */
export function useCartActions() {
  const { sync, cart, askSwitch } = useCartContext()
  const { setQuantity, showAllVendors } = useQuantities()
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()

  const setEmpties = (product: ProductLine, empties: number) =>
    sync.want(product, quantityOf(cart.get(), product.id), empties)

  function remove(product: ProductLine) {
    const quantity = quantityOf(cart.get(), product.id)
    setQuantity(product, 0)
    toast({
      title: t('cart.removed', { name: nameIn(product) }),
      action: { label: t('ui.undo'), onClick: () => sync.want(product, quantity) },
    })
  }

  async function clearAll() {
    const before = cart.get().items
    try {
      await sync.flush()
      cacheCart(queries, await clear())
      showAllVendors()
      const undo = () => {
        for (const item of before) if (item.isAvailable) sync.want(lineOf(item), item.quantity)
      }
      toast({ title: t('cart.cleared'), action: { label: t('ui.undo'), onClick: undo } })
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

  async function switchTo({ product, quantity, more = [] }: PendingSwitch, vendorName: string, oldName: string) {
    try {
      await sync.flush()
      cacheCart(queries, await startWith(product, quantity))
      track('add_to_cart', { item: trackedItem(product, quantity) })
      askSwitch(null)
      for (const addition of more) sync.want(addition.product, addition.quantity)
      toast({
        title: t('cart.switched', { vendor: vendorName, old: oldName }),
        action: { label: t('ui.undo'), onClick: () => void bringBack() },
      })
    } catch (error) {
      showCartError(error, 'switch', t)
    }
  }

  return { setQuantity, setEmpties, remove, clearAll, bringBack, switchTo }
}
