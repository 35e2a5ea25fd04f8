import { bahrainDate, formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import { slotWords } from '@qatra/contract/calendar/slot'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { Link } from '@tanstack/react-router'
import { useInLang } from '../app/names.ts'
import { SumLines } from '../cart/CartSums.tsx'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money, OrderId } from '../ui/Bidi.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { AgainIcon, DownIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { ContactButtons } from '../vendors/ContactButtons.tsx'
import { formerSlot, isLateNow, useArrivalText } from './arrival.ts'
import { useClosureText } from './closure-text.ts'
import { OrderAddress } from './OrderAddress.tsx'
import { OrderLines } from './OrderLines.tsx'
import { OrderState, PaymentState } from './OrderStateBadges.tsx'

interface OrderCardProps {
  order: Order
  isBusy: boolean
  onReorder: (id: string) => void
}

export const vendorOf = (order: Order) => ({
  name: order.vendorName,
  nameAr: order.vendorNameAr,
  whatsappLink: order.vendorWhatsappLink,
  contactNumber: order.vendorContactNumber,
})

/** When an open order arrives, and its former day if it was moved. */
function Arrival({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const arrivalText = useArrivalText()
  const former = formerSlot(order)
  const closure = useClosureText()(order)
  return (
    <p className={classes('text-label', closure === null && 'dots')}>
      <span className={classes('font-strong', isLateNow(order) && 'text-clay')}>{arrivalText(order)}</span>{' '}
      {closure !== null && <span className="block text-ink-3">{closure}</span>}
      {former && closure === null && (
        <span className="text-ink-3">
          {t('days.was')} <s>{slotWords(former, lang, 'long')}</s>
        </span>
      )}
    </p>
  )
}

export function OrderCard({ order, isBusy, onReorder }: OrderCardProps) {
  const { t, lang } = useLanguage()
  const vendorName = useInLang()(order.vendorName, order.vendorNameAr)
  return (
    <article className="-mx-4 border-b-8 border-well px-4 py-5 md:mx-0 md:mb-4 md:rounded-l md:border md:border-line md:p-5">
      <div className="flex items-start gap-3">
        <VendorEmblem
          emblem={order.vendorEmblem}
          tint={order.vendorTint}
          name={vendorName}
          logoUrl={order.vendorLogo}
        />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-start justify-between gap-x-3 text-heading">
            <h2 dir="auto" className="text-start">
              {vendorName}
            </h2>
            <Money bhd={order.total} />
          </div>
          <p className="text-label text-ink-3">
            <time dateTime={order.createdAt}>{formatDateTime(new Date(order.createdAt), lang)}</time>
          </p>
          {!isClosed(order.status) && <Arrival order={order} />}
          <div className="mt-2 flex flex-wrap items-center gap-2">
            <OrderState order={order} />
            <PaymentState order={order} />
          </div>
        </div>
      </div>
      <details className="group mt-3">
        <summary className="flex min-h-tap list-none items-center gap-2 rounded-m text-aqua-ink [&::-webkit-details-marker]:hidden">
          <DownIcon size={18} aria-hidden="true" className="transition-transform group-open:rotate-180" />
          {t('orders.details')}
        </summary>
        <div className="grid gap-4 pt-2 pb-1">
          <OrderLines order={order} />
          <SumLines sums={order} />
          <OrderAddress order={order} />
          <p className="text-label text-ink-3">
            {t('order.id')}: <OrderId id={order.id} />
          </p>
          <ContactButtons vendor={vendorOf(order)} text={t('order.askText', { id: order.id })} />
        </div>
      </details>
      <div className="no-print mt-2 grid auto-cols-fr grid-flow-col gap-3 md:flex md:justify-end">
        <Link
          to="/orders/$id"
          params={{ id: order.id }}
          className={buttonClass('outline')}
          aria-label={t('orders.viewOf', {
            vendor: vendorName,
            day: formatDay(bahrainDate(new Date(order.createdAt)), lang, 'long'),
          })}
        >
          {t('orders.view')}
        </Link>
        {order.can.reorder && (
          <Button tone="quiet" icon={AgainIcon} busy={isBusy} onClick={() => onReorder(order.id)}>
            {t('again.do')}
          </Button>
        )}
      </div>
    </article>
  )
}
