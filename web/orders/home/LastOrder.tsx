import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { customerStatus } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { useInLang } from '../../app/names.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import { firstOrdersQuery } from '../api.ts'
import { useReorder } from '../use-reorder.tsx'
import { useItemsText } from './items-text.ts'

/** The newest order that can be ordered again, of the last ten. */
function useLastDelivered(but?: string): Order | undefined {
  const { data } = useQuery({ ...firstOrdersQuery(), enabled: false })
  return data?.items.find((order) => order.can.reorder && order.id !== but)
}

/** Summary of the order: two of its bottles, what was ordered, the total and the date. */
function Recognised({ order, withVendor }: { order: Order; withVendor: boolean }) {
  const { t, lang } = useLanguage()
  const vendorName = useInLang()(order.vendorName, order.vendorNameAr)
  const itemsText = useItemsText()
  const day = formatDay(bahrainDate(new Date(order.createdAt)), lang, 'long')
  return (
    <>
      <span className="flex shrink-0">
        {order.items.slice(0, 2).map((item, index) => (
          <span key={item.id} className={index > 0 ? '-ms-4.5 rounded-m ring-3 ring-surface' : ''}>
            <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={order.vendorTint} px={48} />
          </span>
        ))}
      </span>
      <span className="min-w-0 flex-1">
        <b className="block">
          {withVendor && `${vendorName} · `}
          <Money bhd={order.total} />
        </b>
        <span dir="auto" className="line-clamp-2 text-as-page text-label text-ink-2">
          {itemsText(order.items.map((item) => ({ product: item, quantity: item.quantity })))}
        </span>
        <span className="block text-label text-ink-3">
          {day} · {t(`orders.status.${customerStatus(order.status)}`)}
        </span>
      </span>
    </>
  )
}

/** The last order at the top of the home page of a returning customer, with a button to order it again. */
export function LastOrder() {
  const { t } = useLanguage()
  const order = useLastDelivered()
  const { start, dialog, busyWith } = useReorder()
  if (!order) return null
  return (
    <section aria-labelledby="last-order" className="mt-4 rounded-l p-3.5 inset-ring inset-ring-line">
      <h2 id="last-order" className="mb-2 text-label font-strong text-ink-2">
        {t('again.last')}
      </h2>
      <div className="flex flex-wrap items-center gap-3">
        <div className="flex min-w-0 grow basis-60 items-center gap-3">
          <Recognised order={order} withVendor />
        </div>
        <Button
          tone="gulf"
          icon={AgainIcon}
          className="grow sm:grow-0"
          busy={busyWith === order.id}
          onClick={() => start(order.id)}
        >
          {t('again.do')}
        </Button>
      </div>
      {dialog}
    </section>
  )
}

/** The previous order, below an order that is not delivered yet. */
export function PreviousOrder({ present }: { present: Order }) {
  const { t } = useLanguage()
  const order = useLastDelivered(present.id)
  const { start, dialog, busyWith } = useReorder()
  if (!order || present.can.reorder) return null
  return (
    <section className="no-print py-5">
      <h2 className="mb-3.5 text-heading">{t('order.previous')}</h2>
      <div className="flex items-center gap-3">
        <Recognised order={order} withVendor={order.vendorId !== present.vendorId} />
      </div>
      <Button
        tone="aqua"
        size="big"
        icon={AgainIcon}
        className="mt-3.5"
        busy={busyWith === order.id}
        onClick={() => start(order.id)}
      >
        {t('again.do')}
      </Button>
      {dialog}
    </section>
  )
}
