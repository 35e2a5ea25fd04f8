import { type Lang, langs } from '@qatra/contract/lib/lang'
import type { Order } from '@qatra/contract/orders/orders'
import { getReceipt, type ReceiptSize, receiptSizes } from '@qatra/contract/orders/receipts'
import { useState } from 'react'
import { addressOf } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { saveFile } from '../../../lib/save-file.ts'
import { ReceiptIcon } from '../../../ui/admin/icons.ts'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { DownIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'

/** Downloads the invoice, before the delivery its note, as PDF: A4 or 80 mm roll, in either language, the page's first. */
export function ReceiptButton({ order, place = 'above' }: { order: Order; place?: 'above' | 'below' }) {
  const { t, lang } = useLanguage()
  const [busy, setBusy] = useState(false)
  const inOrder = [...langs].sort((a, b) => Number(b === lang) - Number(a === lang))

  async function save(wanted: Lang, size: ReceiptSize) {
    setBusy(true)
    try {
      const url = addressOf(getReceipt.path, { params: { id: order.id }, query: { lang: wanted, size } })
      const response = await fetch(url, { credentials: 'same-origin' })
      if (!response.ok) throw new Error(`The receipt was answered with ${response.status}`)
      const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
      saveFile(name ?? `receipt-${order.id}.pdf`, await response.blob())
    } catch (error) {
      console.warn(error)
      toast({ title: t('receiptButton.failed'), text: t('receiptButton.failedHint'), tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      label={t('receiptButton.menu')}
      place={place}
      className={toolbarButtonClass()}
      button={
        <>
          <ReceiptIcon size={16} aria-hidden="true" className="text-ink-3" />
          <span aria-busy={busy}>
            {t(order.invoiceNumber ? 'receiptButton.invoice' : 'receiptButton.deliveryNote')}
          </span>
          <DownIcon size={16} aria-hidden="true" className="text-ink-3" />
        </>
      }
      choices={inOrder.flatMap((wanted) =>
        receiptSizes.map((size) => ({
          key: `${size}.${wanted}`,
          label: t(`receiptButton.${size}.${wanted}`),
          onChoose: () => void save(wanted, size),
        })),
      )}
    />
  )
}
