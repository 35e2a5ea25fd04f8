import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import type { Payment } from '@qatra/contract/orders/payments'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { dayOfYear, momentOf, today } from '../../../ui/admin/day-words.ts'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { DoubleQuestion } from '../DoubleQuestion.tsx'
import { renewOrder } from '../order-cache.ts'
import { PaymentDialog, UsedBefore } from '../PaymentDialog.tsx'
import type { OrderActions } from '../use-order-actions.ts'

interface PaymentsPartProps {
  order: AdminOrderDetail
  actions: OrderActions
  heading?: 'h2' | 'h3'
}

/** What was paid, who has it, and what is due or owed back; with the tools that record more. */
export function PaymentsPart({ order, actions, heading = 'h3' }: PaymentsPartProps) {
  const t = useT()
  const queries = useQueryClient()
  const me = useUser()
  const [asked, setAsked] = useState<'payment' | 'refund' | 'mistake' | null>(null)
  const { payments, double, due, can, paymentStatus, status } = order
  const received = payments.reduce((sum, { amount }) => sum + fromBhd(amount), 0)
  const mayPay = me?.role !== 'driver' && can.payment.length > 0
  const maySayUnpaid = mayPay && status === 'delivered' && paymentStatus === 'pending' && due > 0
  const ofOffice = payments.filter(({ holder, amount }) => holder.kind === 'office' && amount > 0)
  // Anything else is paid back: it needs the right to refund, and a reason.
  const isOwnMistake = ({ holder, date }: Payment) => holder.id === me?.id && date === today()
  const isMistake = ofOffice.every(isOwnMistake)
  // Of a double, the record that is a mistake is chosen.
  const isMistakeAsked =
    mayPay && paymentStatus === 'paid' && !double && ofOffice.length > 0 && (can.refund || ofOffice.some(isOwnMistake))
  /** A queued action is sent first: the dialog sends its payment itself. */
  const ask = (what: 'payment' | 'refund') => () => {
    void actions.settle()
    setAsked(what)
  }
  return (
    <PanelPart title={t('desk.payments')} heading={heading}>
      {payments.length === 0 ? (
        <p className="text-ink-2">{t('desk.payments.none')}</p>
      ) : (
        <ul className="grid gap-2">
          {payments.map((payment) => (
            <PaymentLine key={payment.id} payment={payment} />
          ))}
        </ul>
      )}
      {due !== 0 && (
        <p className="mt-2 flex justify-between gap-3 border-t border-line pt-2 font-strong">
          <span>{t(due > 0 ? 'desk.payments.due' : 'desk.payments.owed')}</span>
          <Money bhd={Math.abs(due)} className={due < 0 ? 'text-clay' : undefined} />
        </p>
      )}
      {double && mayPay && (
        <DoubleQuestion
          orderId={order.id}
          double={double}
          onAsk={() => void actions.settle()}
          onDone={() => void renewOrder(queries, order.id)}
        />
      )}
      <div className="mt-2.5 flex flex-wrap gap-2 empty:hidden">
        {mayPay && due > 0 && <ToolbarButton onClick={ask('payment')}>{t('desk.pay.add')}</ToolbarButton>}
        {maySayUnpaid && (
          <ToolbarButton onClick={() => void actions.pay({ paymentStatus: 'unpaid' })}>
            {t('desk.payments.unpaid')}
          </ToolbarButton>
        )}
        {mayPay && can.refund && received > 0 && (
          <ToolbarButton onClick={ask('refund')}>{t('desk.pay.refund')}</ToolbarButton>
        )}
        {isMistakeAsked && (
          <ToolbarButton onClick={() => setAsked('mistake')}>{t('desk.payments.mistake')}</ToolbarButton>
        )}
      </div>
      {(asked === 'payment' || asked === 'refund') && (
        <PaymentDialog
          order={order}
          kind={asked}
          amount={asked === 'payment' ? due : due < 0 ? -due : null}
          onClose={() => setAsked(null)}
          onSaved={() => void renewOrder(queries, order.id)}
        />
      )}
      <ConfirmDialog
        open={asked === 'mistake'}
        title={t('desk.payments.mistakeTitle')}
        confirm={t('desk.payments.mistake')}
        tone="danger"
        reason={isMistake ? 'optional' : 'required'}
        onCancel={() => setAsked(null)}
        onConfirm={(notes) => {
          setAsked(null)
          void actions.pay({ paymentStatus: 'unpaid', notes })
        }}
      >
        {t(isMistake ? 'desk.payments.mistakeText' : 'desk.payments.mistakeRefund')}
      </ConfirmDialog>
    </PanelPart>
  )
}

function PaymentLine({ payment }: { payment: Payment }) {
  const { t, lang } = useLanguage()
  const { amount, means, holder, recordedBy, at, date, reference, usedBefore, reason } = payment
  const where =
    holder.kind === 'driver'
      ? t('desk.payments.withDriver', { name: holder.name ?? '' })
      : holder.name
        ? t('desk.payments.inOffice', { name: holder.name })
        : t('desk.payments.office')
  const isOther = recordedBy !== null && recordedBy.id !== holder.id
  return (
    <li>
      <p className="flex justify-between gap-3">
        <span>
          {amount < 0 && `${t('desk.payments.refund')} · `}
          {t(`admin.means.${means}`)}
        </span>
        <Money bhd={amount} className={amount < 0 ? 'font-strong text-clay' : 'font-strong'} />
      </p>
      <p className="text-caption text-ink-2">
        {where}
        {' · '}
        <bdi>{momentOf(at, lang)}</bdi>
        {isOther && ` · ${t('desk.payments.by', { name: recordedBy.name ?? '' })}`}
        {date !== bahrainDate(new Date(at)) && ` · ${t('desk.payments.day', { day: dayOfYear(date, lang) })}`}
      </p>
      {reference && (
        <p className="text-caption text-ink-2">
          <bdi>{t('desk.payments.reference', { reference })}</bdi>
        </p>
      )}
      <UsedBefore id={usedBefore} />
      {reason && (
        <q dir="auto" className="text-as-page block text-caption text-ink-2">
          {reason}
        </q>
      )}
    </li>
  )
}
