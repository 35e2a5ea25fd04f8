import { bahrainDate, formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import { slotWords } from '@qatra/contract/calendar/slot'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { itemText } from '@qatra/contract/products/unit-text'
import { Link } from '@tanstack/react-router'
import { useInLang, useSizedName } from '../app/names.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { AgainIcon } from '../ui/icons.tsx'
import { TwoThumbs } from '../ui/ProductPicture.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { formerSlot, isLateNow, useArrivalText } from './arrival.ts'
import { useClosureText } from './closure-text.ts'
import { OrderState, PaymentState } from './OrderStateBadges.tsx'
import { RateDelivery } from './RateDelivery.tsx'

interface OrderCardProps {
  order: Order
  isBusy: boolean
  /** Whether it asks how the delivery was. */
  asksRating: boolean
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
    <p className={classes('mt-3', closure === null && 'dots')}>
      <span className={classes('font-strong', isLateNow(order) && 'text-clay')}>{arrivalText(order)}</span>{' '}
      {closure !== null && <span className="block text-label text-ink-3">{closure}</span>}
      {former && closure === null && (
        <span className="text-label text-ink-3">
          {t('days.was')} <s>{slotWords(former, lang, 'long')}</s>
        </span>
      )}
    </p>
  )
}

/** Products that are named; the others are counted. */
const MOST_NAMED = 2

function Ordered({ order: { items, vendorTint } }: { order: Order }) {
  const words = useLanguage()
  const sizedName = useSizedName()
  const more = items.length - MOST_NAMED
  return (
    <div className="mt-3 flex gap-3">
      <TwoThumbs items={items} tint={vendorTint} />
      <ul className="min-w-0 flex-1 self-center text-[0.9375rem] leading-normal">
        {items.slice(0, MOST_NAMED).map((item) => (
          <li key={item.id} dir="auto" className="text-as-page text-pretty wrap-anywhere">
            {itemText(words, item, { count: item.quantity || (item.orderedQuantity ?? 0), name: sizedName(item) })}
          </li>
        ))}
        {more > 0 && <li className="text-label text-ink-3">{words.t('orders.moreItems', { count: more })}</li>}
      </ul>
    </div>
  )
}

export function OrderCard({ order, isBusy, asksRating, onReorder }: OrderCardProps) {
  const { t, lang } = useLanguage()
  const vendorName = useInLang()(order.vendorName, order.vendorNameAr)
  return (
    <article className="-mx-4 flex flex-col border-b-8 border-well px-4 py-5 md:mx-0 md:rounded-l md:border md:border-line md:p-5">
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
        </div>
      </div>
      {!isClosed(order.status) && <Arrival order={order} />}
      <Ordered order={order} />
      <div className="mt-3 mb-3.5 flex flex-wrap items-center gap-2">
        <OrderState order={order} />
        <PaymentState order={order} />
      </div>
      {asksRating && <RateDelivery order={order} className="no-print mb-4" />}
      <div className="no-print mt-auto flex flex-wrap gap-3 *:min-w-fit *:flex-1 *:basis-32">
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
