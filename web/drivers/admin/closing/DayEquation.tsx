import { bahrainTime } from '@qatra/contract/calendar/calendar'
import type { CashClosing, UnexplainedOrder } from '@qatra/contract/cash-closing'
import { listIn } from '@qatra/contract/lib/lang'
import { addFils, formatAmount, formatMoney, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { changePayment } from '@qatra/contract/orders/admin'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { DoubleQuestion } from '../../../orders/admin/DoubleQuestion.tsx'
import { PaymentDialog } from '../../../orders/admin/PaymentDialog.tsx'
import { OrderId } from '../../../ui/Bidi.tsx'
import { Button } from '../../../ui/Button.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { cashLeftWith, meansOf, redSums } from './closing.ts'

/** Where the money of the day is: what was delivered, and the terms that explain it. */
export function DayEquation({ closing }: { closing: CashClosing }) {
  const { t, lang } = useLanguage()
  const { equation, drivers } = closing
  const nameOf = ({ driver: { name, phone } }: (typeof drivers)[number]) => name ?? phone
  const people = (names: readonly string[]) =>
    names.length > 2 ? t('closing.people', { count: names.length }) : listIn(lang, names)
  const handedBy = drivers.filter(({ cash }) => cash.handedOver !== 0)
  const office = equation.inOfficeBy.filter(({ amount }) => amount !== 0)
  const notCollected = toBhd(addFils(fromBhd(equation.notCollected), fromBhd(-equation.otherDays)))
  const terms: Omit<TermProps, 'sign'>[] = [
    {
      label: t('closing.withDrivers'),
      bhd: equation.withDrivers,
      more: people(drivers.filter((row) => cashLeftWith(closing, row) !== 0).map(nameOf)),
    },
    {
      label: t('closing.handedOver'),
      bhd: equation.handedOver,
      more: handedBy.length > 0 && t('closing.fromDrivers', { count: handedBy.length }),
    },
    {
      label: t('closing.inOffice'),
      bhd: equation.inOffice,
      more: office.map(({ id, name, amount }) => (
        <span key={id ?? 0} className="block">
          <bdi>{name ?? t('closing.unknown')}</bdi>
          {office.length > 1 && (
            <>
              {' '}
              <bdi>{formatAmount(fromBhd(amount))}</bdi>
            </>
          )}
        </span>
      )),
    },
    ...meansOf(equation).map((means) => ({ label: t(`admin.means.${means}`), bhd: equation.otherMeans[means] ?? 0 })),
    ...(equation.onAccount === 0 ? [] : [{ label: t('admin.means.account'), bhd: equation.onAccount }]),
    ...(equation.paidBack === 0 ? [] : [{ label: t('closing.paidBack'), bhd: equation.paidBack }]),
    { label: t('closing.notCollected'), bhd: notCollected },
    ...(equation.otherDays === 0
      ? []
      : [{ label: t('closing.otherDays'), bhd: equation.otherDays, more: t('closing.otherDaysHint') }]),
  ]
  return (
    <dl className="deep grid gap-x-1 rounded-l bg-deep px-5 py-3 text-on-deep md:flex md:flex-wrap md:gap-y-3 md:py-4 print:mb-4 print:grid print:grid-cols-4 print:gap-y-2 print:bg-transparent print:p-0 print:text-ink">
      <Term
        label={t('closing.delivered')}
        bhd={equation.delivered}
        more={t('closing.orders', { count: equation.orders })}
        isSum
      />
      {terms.map((term, at) => (
        <Term key={term.label} {...term} sign={at === 0 ? '=' : '+'} />
      ))}
      {/* On paper, so that the line adds up; the page has the red part below. */}
      {equation.withoutEntry !== 0 && (
        <div className="hidden print:flex">
          <Term label={t('closing.notExplainedTerm')} bhd={equation.withoutEntry} sign="+" />
        </div>
      )}
      {equation.paidBeyond !== 0 && (
        <div className="hidden print:flex">
          <Term label={t('closing.paidBeyondTerm')} bhd={-equation.paidBeyond} sign="+" />
        </div>
      )}
    </dl>
  )
}

interface TermProps {
  label: string
  bhd: number
  more?: ReactNode
  sign?: '=' | '+'
  isSum?: boolean
}

/** A line on a phone, a column on wider screens. */
function Term({ label, bhd, more, sign, isSum = false }: TermProps) {
  return (
    <div className="flex min-w-0 items-baseline gap-2 border-line/20 py-1.5 max-md:border-b max-md:last:border-b-0 md:flex-1 md:items-start md:py-0">
      <span aria-hidden="true" className="w-3 flex-none text-center opacity-70 md:mt-6 md:w-5 print:mt-5">
        {sign}
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 md:block">
        <dt className="text-caption whitespace-nowrap opacity-80 print:opacity-100">{label}</dt>
        <dd
          className={
            isSum
              ? 'text-title font-strong print:text-body'
              : 'text-heading font-strong md:text-title print:text-body print:font-strong'
          }
        >
          <bdi>{formatAmount(fromBhd(bhd))}</bdi>
        </dd>
        <dd className="basis-full text-caption opacity-80 md:min-h-5 print:opacity-100">{more}</dd>
      </div>
    </div>
  )
}

interface UnexplainedProps {
  closing: CashClosing
  onChanged(): void
}

/** What nobody has explained, order by order, with the two answers. It blocks closing. */
export function Unexplained({ closing: { equation, closed }, onChanged }: UnexplainedProps) {
  const { t, lang } = useLanguage()
  const { unexplainedOrders } = equation
  if (closed || unexplainedOrders.length === 0) return null
  return (
    <section
      aria-labelledby="closing-unexplained"
      className="no-print rounded-l bg-clay-soft px-4 py-3 inset-ring inset-ring-clay md:px-5"
    >
      <h2 id="closing-unexplained" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-clay">
        <WarningIcon size={20} aria-hidden="true" className="flex-none" />
        {redSums(equation).map(({ key, bhd }) => (
          <span key={key} className="text-heading">
            {t(key === 'paidBeyond' ? 'closing.tooMuchPaid' : 'closing.left.unexplained', {
              amount: formatMoney(fromBhd(bhd), lang),
            })}
          </span>
        ))}
        <span className="font-strong text-ink">{t('closing.blocks')}</span>
      </h2>
      <ul className="mt-1 divide-y divide-line">
        {unexplainedOrders.map((order) => (
          <UnexplainedLine key={order.id} order={order} onChanged={onChanged} />
        ))}
      </ul>
    </section>
  )
}

function UnexplainedLine({ order, onChanged }: { order: UnexplainedOrder; onChanged(): void }) {
  const { t, lang } = useLanguage()
  const permissions = useUser()?.permissions
  const [asked, setAsked] = useState<'payment' | 'refund' | null>(null)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'desk'))
  const isMissing = order.amount > 0
  const amount = Math.abs(order.amount)
  const money = formatMoney(fromBhd(amount), lang)
  const mayPay = permissions?.includes('orders.payment') ?? false
  const mayRefund = permissions?.includes('orders.refund') ?? false
  const params = { id: order.id }
  const sayUnpaid = () =>
    run(async () => {
      await call(changePayment, { params, body: { paymentStatus: 'unpaid' } })
      toast({ title: t('closing.saidUnpaid', { amount: money }) })
      onChanged()
    })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <p className="min-w-0 flex-1 basis-64">
        <Link to="/admin/orders/$id" params={params} className="text-aqua-ink hover:underline">
          <OrderId id={order.id} />
        </Link>
        {' · '}
        <bdi>{order.customerName}</bdi>
        {' · '}
        <bdi className="font-strong">{money}</bdi>
        <span className="block text-caption text-ink-2">
          {isMissing
            ? t(order.reportedBy?.isDriver ? 'closing.noEntryDriver' : 'closing.noEntryOffice', {
                name: order.reportedBy?.name ?? t('closing.unknown'),
                time: timeOf(order),
              })
            : t('closing.paidBeyond')}
        </span>
        {problem && (
          <span role="alert" className="block text-clay">
            {problem}
          </span>
        )}
      </p>
      {isMissing && mayPay && (
        <span className="flex flex-wrap gap-2">
          <Button tone="outline" size="small" className="bg-surface" busy={busy} onClick={() => void sayUnpaid()}>
            {t('closing.notCollected')}
          </Button>
          <Button tone="aqua" size="small" onClick={() => setAsked('payment')}>
            {t('closing.recordHolder')}
          </Button>
        </span>
      )}
      {!isMissing &&
        (mayRefund ? (
          <Button tone="outline" size="small" className="bg-surface" onClick={() => setAsked('refund')}>
            {t('desk.pay.refund')}
          </Button>
        ) : (
          <span className="text-caption text-ink-2">{t('desk.pay.refundNeeds')}</span>
        ))}
      {order.double && mayPay && <DoubleQuestion orderId={order.id} double={order.double} onDone={onChanged} />}
      {asked && (
        <PaymentDialog order={order} kind={asked} amount={amount} onClose={() => setAsked(null)} onSaved={onChanged} />
      )}
    </li>
  )
}

const timeOf = ({ deliveredAt }: UnexplainedOrder) => (deliveredAt ? bahrainTime(new Date(deliveredAt)) : '')
