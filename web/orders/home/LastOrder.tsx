import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { customerStatus } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import type { SoldUnit } from '@qatra/contract/products/unit-name'
import { itemText } from '@qatra/contract/products/unit-text'
import { useQuery } from '@tanstack/react-query'
import { useInLang, useSizedName } from '../../app/names.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { Money, tiedDots } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { TwoThumbs } from '../../ui/ProductPicture.tsx'
import { firstOrdersQuery } from '../api.ts'
import { useReorder } from '../use-reorder.tsx'
import { AgainRow } from './AgainRow.tsx'

interface Line {
  product: SoldUnit & { name: string; nameAr: string | null }
  quantity: number
}

/** `3 cartons of 24 · Hayrat water 500 ml, 2 gallons (exchange) · …` */
function useItemsText() {
  const words = useLanguage()
  const sizedName = useSizedName()
  return (lines: readonly Line[]): string =>
    lines
      .map(({ product, quantity }) => tiedDots(itemText(words, product, { count: quantity, name: sizedName(product) })))
      .reduce((before, next) => (before ? words.t('usual.join', { before, next }) : next), '')
}

/** The newest order that can be ordered again, of the last ten. */
function useLastDelivered(but?: string): Order | undefined {
  const { data } = useQuery({ ...firstOrdersQuery(), enabled: false })
  return data?.items.find((order) => order.can.reorder && order.id !== but)
}

/** The last order at the top of the home page of a returning customer, with a button to order it again. */
export function LastOrder() {
  const { t } = useLanguage()
  const order = useLastDelivered()
  const itemsText = useItemsText()
  const { start, dialog, busyWith } = useReorder()
  if (!order) return null
  return (
    <AgainRow
      id="last-order"
      items={order.items}
      tint={order.vendorTint}
      title={t('again.last')}
      text={itemsText(order.items.map((item) => ({ product: item, quantity: item.quantity })))}
    >
      <Button tone="gulf" className="shrink-0" busy={busyWith === order.id} onClick={() => start(order.id)}>
        {t('again.do')}
      </Button>
      {dialog}
    </AgainRow>
  )
}

/** The previous order, below an order that is not delivered yet. */
export function PreviousOrder({ present }: { present: Order }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const itemsText = useItemsText()
  const order = useLastDelivered(present.id)
  const { start, dialog, busyWith } = useReorder()
  if (!order || present.can.reorder) return null
  return (
    <section className="no-print py-5">
      <h2 className="mb-3.5 text-heading">{t('order.previous')}</h2>
      <div className="flex items-center gap-3">
        <TwoThumbs items={order.items} tint={order.vendorTint} />
        <span className="min-w-0 flex-1">
          <b className="dots">
            {order.vendorId !== present.vendorId && <span>{inLang(order.vendorName, order.vendorNameAr)}</span>}{' '}
            <Money bhd={order.total} />
          </b>
          <span dir="auto" className="line-clamp-2 text-as-page text-label text-ink-2">
            {itemsText(order.items.map((item) => ({ product: item, quantity: item.quantity })))}
          </span>
          <span className="dots text-label text-ink-3">
            <span>{formatDay(bahrainDate(new Date(order.createdAt)), lang, 'long')}</span>{' '}
            <span>{t(`orders.status.${customerStatus(order.status)}`)}</span>
          </span>
        </span>
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
