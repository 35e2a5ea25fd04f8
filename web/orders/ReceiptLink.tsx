import type { Order } from '@qatra/contract/orders/orders'
import { getMyReceipt } from '@qatra/contract/orders/receipts'
import { type MouseEvent, useEffect } from 'react'
import { keepReceipt, saveKeptReceipt } from '../app/offline/receipts.ts'
import { addressOf } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'

/** By then the page has loaded. */
const AT_REST_MS = 4_000

/** Downloads the receipt, without a network the one that was kept when the page was opened. */
export function ReceiptLink({ order: { id } }: { order: Order }) {
  const { t, lang } = useLanguage()
  const user = useUser()
  const href = addressOf(getMyReceipt.path, { params: { id }, query: { lang } })
  const mayKeep = user?.role === 'customer' && user.impersonatedBy === null
  useEffect(() => {
    if (!mayKeep || !navigator.onLine) return
    const timer = setTimeout(() => {
      // Without it the receipt needs a network.
      keepReceipt(href).catch((error: unknown) => console.warn('The receipt is not kept', error))
    }, AT_REST_MS)
    return () => clearTimeout(timer)
  }, [href, mayKeep])
  const onClick = async (event: MouseEvent) => {
    if (navigator.onLine) return
    event.preventDefault()
    if (await saveKeptReceipt(href, `${id}.pdf`)) return
    toast({ title: t('order.receiptNotSaved'), tone: 'error' })
  }
  return (
    <a
      href={href}
      download
      onClick={(event) => void onClick(event)}
      className={buttonClass('quiet', 'big', 'no-print mt-2.5')}
    >
      <DownloadIcon size={20} aria-hidden="true" />
      {t('order.receipt')}
    </a>
  )
}
