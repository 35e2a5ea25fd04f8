import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import {
  addPayment,
  listPayments,
  type OrderPayments,
  type PaymentHolder,
  type PaymentMeans,
  receivedMeans,
} from '@qatra/contract/orders/payments'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, read } from '../../lib/api-client.ts'
import { useDebouncedValue } from '../../lib/debounce.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { OrderId } from '../../ui/Bidi.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { AmountDialog, isAmount, isReason } from './AmountDialog.tsx'

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
      ...(isRefund && !isReason(reason) ? { reason: t('admin.form.reasonNeeded') } : {}),
    }),
    send: (body) => call(addPayment, { params: { id: order.id }, body }),
    onSaved(payments) {
      onSaved(payments)
      toast({ title: t(isRefund ? 'desk.pay.refunded' : 'desk.pay.saved', { amount: written }) })
      onClose()
    },
    failureOf: (error) => refusalText(t, error, 'desk'),
  })
  const { amount, means, reference } = form.values
  const written = isAmount(amount) ? formatMoney(fromBhd(amount), lang) : ''
  return (
    <AmountDialog
      form={form}
      title={t(isRefund ? 'desk.pay.refundTitle' : 'desk.pay.title')}
      text={<bdi>{order.customerName}</bdi>}
      save={t(isRefund ? 'desk.pay.refundDo' : 'desk.pay.do', { amount: written })}
      tone={isRefund ? 'danger' : 'gulf'}
      amount={{ label: t(isRefund ? 'desk.pay.refundAmount' : 'desk.pay.amount'), ...form.field('amount') }}
      {...(isRefund && {
        effect: written && t('desk.pay.refundText', { amount: written, name: order.customerName }),
        reason: { label: t('desk.pay.reason'), ...form.text('reason') },
      })}
      onClose={onClose}
    >
      <SelectField
        label={t('desk.pay.means')}
        placeholder={t('desk.pay.choose')}
        options={receivedMeans.map((value) => ({ value, label: t(`admin.means.${value}`) }))}
        {...form.field('means')}
      />
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
        <div className="grid gap-1.5">
          <TextField label={t('desk.pay.reference')} maxLength={100} {...form.text('reference')} />
          {!isRefund && <ReferenceCheck orderId={order.id} means={means} reference={reference} />}
        </div>
      )}
    </AmountDialog>
  )
}

const TYPING_MS = 300

interface ReferenceCheckProps {
  orderId: string
  means: PaymentMeans
  reference: string
}

/** Warns of a reference that a payment of another order has; it can still be recorded. */
function ReferenceCheck({ orderId, means, reference }: ReferenceCheckProps) {
  const [typed] = useDebouncedValue(reference.trim(), TYPING_MS)
  const query = read(listPayments, { params: { id: orderId }, query: { means, reference: typed } })
  const { data } = useQuery({ ...query, enabled: typed.length >= 3 })
  return (
    <div role="status" className="empty:hidden">
      <UsedBefore id={typed.length >= 3 ? (data?.usedBefore ?? null) : null} />
    </div>
  )
}

/** The order that had a reference before. */
export function UsedBefore({ id }: { id: string | null }) {
  const t = useT()
  if (id === null) return null
  return (
    <p className="text-label text-clay">
      {t('desk.pay.usedBefore')}{' '}
      <Link to="/admin/orders/$id" params={{ id }} target="_blank" className="underline">
        <OrderId id={id} />
      </Link>
    </p>
  )
}
