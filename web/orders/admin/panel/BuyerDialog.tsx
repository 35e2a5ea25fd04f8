import { leftToRight } from '@qatra/contract/lib/text'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { orderNames } from '@qatra/contract/orders/buyer'
import { changeBuyer } from '@qatra/contract/orders/delivery'
import { shortId } from '@qatra/contract/orders/order-id'
import { mapKeys } from '@qatra/contract/orders/totals'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { cacheOrder } from '../order-cache.ts'

/** Opens the dialog, below the facts of the company. A delivered order can be changed too. */
export function BuyerTool({ order }: { order: AdminOrderDetail }) {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  if (!order.can.note) return null
  return (
    <>
      <button
        type="button"
        className="no-print -ms-1 min-h-6 rounded-s px-1 text-caption text-aqua-ink hover:underline max-md:min-h-tap"
        onClick={() => setIsOpen(true)}
      >
        {t(orderNames.some((name) => order[name]) ? 'desk.buyer.change' : 'desk.buyer.add')}
      </button>
      {isOpen && <BuyerDialog order={order} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function BuyerDialog({ order, onClose }: { order: AdminOrderDetail; onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const { invoiceNumber } = order
  const form = useForm({
    body: changeBuyer.body,
    start: mapKeys(orderNames, (name) => order[name] ?? ''),
    toBody: (values) => ({ ...values, version: order.version }),
    send: (body) => call(changeBuyer, { params: { id: order.id }, body }),
    onSaved(answer) {
      cacheOrder(queries, answer)
      toast({ title: t('desk.buyer.saved', { id: shortId(order.id) }) })
      onClose()
    },
  })
  return (
    <Dialog
      open
      className="admin"
      title={t('desk.buyer.title', { id: shortId(order.id) })}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('desk.buyer.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <Form form={form} className="mt-3 text-ink">
        <TextField label={t('desk.buyer.poNumber')} {...form.text('poNumber')} ltr data-first="" />
        <TextField label={t('desk.buyer.branch')} {...form.text('branch')} />
        {invoiceNumber && (
          <p className="text-ink-2">{t('desk.buyer.issued', { number: leftToRight(invoiceNumber) })}</p>
        )}
      </Form>
    </Dialog>
  )
}
