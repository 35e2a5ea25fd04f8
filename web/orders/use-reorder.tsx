import type { ReorderResult } from '@qatra/contract/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../app/names.ts'
import { refetchCart } from '../cart/api.ts'
import { useCart, useCartContext } from '../cart/CartProvider.tsx'
import { expandCartSoon } from '../cart/expand.ts'
import { useCartActions } from '../cart/use-cart-actions.ts'
import { CallError } from '../lib/api-client.ts'
import { type MessageKey, useT } from '../lib/language/i18n.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { type ToastMessage, toast } from '../ui/Toast.tsx'
import { orderAgain } from './api.ts'

const reasons: Record<string, MessageKey> = {
  PRODUCT_DELETED: 'again.reason.PRODUCT_DELETED',
  PRODUCT_INACTIVE: 'again.reason.PRODUCT_INACTIVE',
  VENDOR_INACTIVE: 'again.reason.VENDOR_INACTIVE',
  QUANTITY_LIMIT: 'again.reason.QUANTITY_LIMIT',
}

/** SPEC §9: success 3 s, partial success 5 s, errors and price notices 4 s. */
const SUCCESS_MS = 3000
const PARTIAL_MS = 5000
const NOTICE_MS = 4000

/** Fills the cart with the items of an order; asks first if the cart is not empty. */
export function useReorder() {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const cart = useCart()
  const { sync } = useCartContext()
  const { bringBack } = useCartActions()
  const [pendingId, setPendingId] = useState<string | null>(null)
  const [busyWith, setBusyWith] = useState<string | null>(null)

  function resultToast({ results, priceChanges }: ReorderResult): ToastMessage {
    const action = cart.items.length > 0 ? { action: { label: t('again.undo'), onClick: () => void bringBack() } } : {}
    const changes = priceChanges.length > 0 ? { text: t('again.priceChanges', { count: priceChanges.length }) } : {}
    if (results.failed === 0) {
      const duration = priceChanges.length > 0 ? NOTICE_MS : SUCCESS_MS
      return { title: t('again.done'), duration, ...changes, ...action }
    }
    const items = results.failedItems.map((item) => {
      const reason = reasons[item.code]
      return t('again.item', { name: nameIn(item), reason: reason ? t(reason) : item.reason })
    })
    const left = items.reduce((before, next) => (before ? t('again.join', { before, next }) : next), '')
    return { title: t('again.partial', { items: left }), duration: PARTIAL_MS, ...changes, ...action }
  }

  async function run(id: string) {
    setBusyWith(id)
    try {
      await sync.flush()
      const result = await orderAgain(id)
      await refetchCart(queries)
      setPendingId(null)
      await navigate({ to: '/' })
      toast(resultToast(result))
      expandCartSoon()
    } catch (error) {
      setPendingId(null)
      const isNothingLeft = error instanceof CallError && error.code === 'REORDER_FAILED'
      toast({
        title: t('again.failed'),
        tone: 'error',
        duration: NOTICE_MS,
        ...(isNothingLeft ? { text: t('again.noneLeft') } : {}),
      })
    } finally {
      setBusyWith(null)
    }
  }

  const dialog = (
    <Dialog
      open={pendingId !== null}
      title={t('again.confirmTitle')}
      safe={{ label: t('again.keep'), onChoose: () => setPendingId(null) }}
      action={{
        label: t('again.replace'),
        busy: busyWith !== null,
        onChoose: () => {
          if (pendingId !== null) void run(pendingId)
        },
      }}
    >
      {t('again.confirmText', { count: cart.items.length })}
    </Dialog>
  )
  return {
    dialog,
    busyWith,
    start: (id: string) => {
      if (cart.items.length > 0) setPendingId(id)
      else void run(id)
    },
  }
}
