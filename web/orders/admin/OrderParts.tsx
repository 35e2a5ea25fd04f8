import { bahrainDate, bahrainTime, formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { isReady } from '@qatra/contract/orders/order-status'
import { formatSize, silhouetteOf } from '@qatra/contract/products/sizes'
import type { SoldUnit } from '@qatra/contract/products/unit-name'
import { itemText } from '@qatra/contract/products/unit-text'
import { useInLang } from '../../app/names.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { isYesterday, placedIn } from '../../ui/admin/day-words.ts'
import { OrderBadge, PaymentBadge } from '../../ui/Badge.tsx'
import { Bottle } from '../../ui/Bottle.tsx'
import type { Stop } from './use-stops.ts'

type Order = AdminOrder

export function StatusBadge({ order }: { order: Pick<Order, 'status' | 'processing' | 'assignedDriverId'> }) {
  const t = useT()
  if (isReady(order))
    return (
      <OrderBadge status="in-progress" staff>
        {t('admin.status.ready')}
      </OrderBadge>
    )
  return (
    <OrderBadge status={order.status} staff>
      {t(`admin.status.${order.status}`)}
    </OrderBadge>
  )
}

/** The number of the stop in the driver's run; a cancelled order has none. */
export function StopMark({ order, stop }: { order: Pick<Order, 'status'>; stop: Stop | undefined }) {
  const t = useT()
  if (!stop || order.status === 'cancelled') return null
  return (
    <bdi
      className="truncate text-caption text-ink-2"
      title={t('desk.driver.stop', { number: stop.number, count: stop.last })}
    >
      {t('desk.stop', { number: stop.number })}
    </bdi>
  )
}

export function PaidBadge({ order }: { order: Pick<Order, 'paymentStatus'> }) {
  const t = useT()
  return <PaymentBadge status={order.paymentStatus}>{t(`admin.payment.${order.paymentStatus}`)}</PaymentBadge>
}

/** The time of an order of today or yesterday, the day of an older one. */
export function PlacedAt({ order }: { order: Pick<Order, 'createdAt'> }) {
  const { t, lang } = useLanguage()
  const at = new Date(order.createdAt)
  // In the morning most orders are of the evening before, so their time is shown too.
  const [day = ''] = formatDay(bahrainDate(at), lang, 'short').split(' ')
  const text = isYesterday(at)
    ? t('desk.placedYesterday', { day, time: bahrainTime(at) })
    : placedIn(order.createdAt, lang)
  return (
    <time dateTime={order.createdAt} title={formatDateTime(at, lang)}>
      <bdi>{text}</bdi>
    </time>
  )
}

/** The area, with its block in grey. */
export function AreaName({ order }: { order: Pick<Order, 'areaName' | 'areaNameAr' | 'addressParts'> }) {
  const inLang = useInLang()
  const block = order.addressParts?.block
  return (
    <>
      {inLang(order.areaName, order.areaNameAr) || '—'}
      {block && <span className="text-ink-3"> {block}</span>}
    </>
  )
}

type Item = Pick<Order['items'][number], 'id' | 'name' | 'nameAr' | 'quantity'> & SoldUnit
export type WithItems = Pick<Order, 'vendorTint'> & { items: readonly Item[] }
/** Of more products the last is a number. */
const SHOWN = 3

/** The items of an order as bottles with quantities. */
export function ItemBottles({ order }: { order: WithItems }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const items = order.items.filter(({ quantity }) => quantity > 0)
  const shown = items.length > SHOWN ? items.slice(0, SHOWN - 1) : items
  const rest = items.length - shown.length
  const described = items.map((item) =>
    itemText({ t, lang }, item, {
      count: item.quantity,
      name: `${inLang(item.name, item.nameAr)} ${formatSize(item.size, lang)}`,
    }),
  )
  const read = described.join(lang === 'ar' ? '، ' : ', ')
  return (
    <span className="inline-flex items-end gap-2 print:grid print:min-w-48 print:gap-0" title={read}>
      <span className="sr-only print:hidden">{read}</span>
      {described.map((text, at) => (
        <span key={items[at]?.id} aria-hidden="true" className="hidden leading-snug print:block">
          {text}
        </span>
      ))}
      {shown.map((item) => (
        <span key={item.id} aria-hidden="true" className="inline-flex items-end gap-0.5 print:hidden">
          <Bottle
            shape={silhouetteOf(item.size)}
            tint={order.vendorTint}
            height={silhouetteOf(item.size) === 'b-5g' ? 26 : 22}
          />
          <span className="text-caption leading-none text-ink-2">{t('desk.times', { count: item.quantity })}</span>
        </span>
      ))}
      {rest > 0 && (
        <bdi aria-hidden="true" className="text-caption leading-none text-ink-2 print:hidden">
          {t('desk.moreItems', { count: rest })}
        </bdi>
      )}
    </span>
  )
}
