import { formatMoney, fromBhd, isWholeFils } from '@qatra/contract/lib/money'
import {
  addPayment,
  type OrderPayments,
  type PaymentHolder,
  type PaymentMeans,
  receivedMeans,
} from '@qatra/contract/orders/payments'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { Form } from '../../ui/admin/form/Form.tsx'
import { MoneyField, SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'

export interface PaidOrder {
  id: string
  customerName: string
  driver: { name: string | null; phone?: string } | null
}

interface PaymentDialogProps {
  order: PaidOrder
  kind: 'payment' | 'refund'
  /** BHD the amount begins with; null: to be filled in. */
  amount: number | null
  onClose(): void
  onSaved(payments: OrderPayments): void
}

/** Records a payment of an order, or a refund with its reason. */
export function PaymentDialog({ order, kind, amount: start, onClose, onSaved }: PaymentDialogProps) {
  const { t, lang } = useLanguage()
  // One idempotency key per dialog: a repeated request writes once, and a changed one after a lost answer is refused.
  const [key] = useState(() => crypto.randomUUID())
  const isRefund = kind === 'refund'
  const driver = order.driver && (order.driver.name ?? order.driver.phone ?? null)
  const isAmount = (amount: number | null): amount is number => amount !== null && isWholeFils(amount) && amount > 0
  const form = useForm({
    body: addPayment.body,
    start: {
      amount: start,
      means: null as PaymentMeans | null,
      // Only the office pays back. With a driver, who has the money is asked.
      holder: (isRefund || driver === null ? 'office' : null) as PaymentHolder | null,
      reference: '',
      reason: '',
    },
    toBody: ({ amount, means, holder, reference, reason }) => ({
      amount: (amount ?? Number.NaN) * (isRefund ? -1 : 1),
      // `check` refuses a form without them.
      means: means ?? 'cash',
      holder: holder ?? 'office',
      key,
      reference: reference.trim() || null,
      ...(isRefund ? { reason: reason.trim() } : {}),
    }),
    check: ({ amount, means, holder, reason }) => ({
      ...(isAmount(amount) ? {} : { amount: t('desk.pay.amountWrong') }),
      ...(means === null ? { means: t('desk.pay.whichMeans') } : {}),
      ...(holder === null ? { holder: t('desk.pay.whichHolder') } : {}),
      ...(isRefund && reason.trim().length < 3 ? { reason: t('admin.form.reasonNeeded') } : {}),
    }),
    send: (body) => call(addPayment, { params: { id: order.id }, body }),
    onSaved(payments) {
      onSaved(payments)
      toast({ title: t(isRefund ? 'desk.pay.refunded' : 'desk.pay.saved', { amount: written }) })
      onClose()
    },
    failureOf: (error) => refusalText(t, error, 'desk'),
  })
  const { amount, means } = form.values
  const written = isAmount(amount) ? formatMoney(fromBhd(amount), lang) : ''
  const save = t(isRefund ? 'desk.pay.refundDo' : 'desk.pay.do', { amount: written })
  return (
    <Dialog
      open
      className="admin max-w-110"
      title={t(isRefund ? 'desk.pay.refundTitle' : 'desk.pay.title')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{
        label: save,
        tone: isRefund ? 'danger' : 'gulf',
        busy: form.busy,
        onChoose: () => void form.submit(),
      }}
    >
      <Form form={form} className="text-start">
        <p>
          <bdi>{order.customerName}</bdi>
        </p>
        <MoneyField label={t(isRefund ? 'desk.pay.refundAmount' : 'desk.pay.amount')} {...form.field('amount')} />
        <div data-first="">
          <SelectField
            label={t('desk.pay.means')}
            placeholder={t('desk.pay.choose')}
            options={receivedMeans.map((value) => ({ value, label: t(`admin.means.${value}`) }))}
            {...form.field('means')}
          />
        </div>
        {!isRefund && driver !== null && (
          <SelectField
            label={t('desk.pay.holder')}
            placeholder={t('desk.pay.choose')}
            options={[
              { value: 'office', label: t('desk.cash.admin') },
              { value: 'driver', label: t('desk.cash.driver', { name: driver }) },
            ]}
            {...form.field('holder')}
          />
        )}
        {means !== null && means !== 'cash' && (
          <TextField label={t('desk.pay.reference')} maxLength={100} {...form.text('reference')} />
        )}
        {isRefund && <TextField label={t('desk.pay.reason')} maxLength={500} {...form.text('reason')} />}
        {isRefund && (
          <p role="status" className="min-h-6 text-ink">
            {written && t('desk.pay.refundText', { amount: written, name: order.customerName })}
          </p>
        )}
        {/* Enter in a field submits; the visible button is outside the form. */}
        <button type="submit" hidden>
          {save}
        </button>
      </Form>
    </Dialog>
  )
}
