import { formatDay } from '@qatra/contract/calendar/calendar'
import type { Order } from '@qatra/contract/orders/orders'
import { useInLang } from '../app/names.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money, OrderId } from '../ui/Bidi.tsx'

/** Orders with vendor, day, amount and id, in a list of limited height. */
export function OpenOrders({ title, orders, more = 0 }: { title: string; orders: readonly Order[]; more?: number }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  return (
    <div className="mt-3 rounded-m bg-well px-3 py-2.5 text-ink">
      <p className="font-strong">{title}</p>
      <ul className="mt-1.5 grid max-h-44 gap-2 overflow-y-auto">
        {orders.map((order) => (
          <li key={order.id}>
            <div className="flex items-baseline justify-between gap-3">
              <span dir="auto" className="min-w-0 text-start">
                {inLang(order.vendorName, order.vendorNameAr)}
              </span>
              <Money bhd={order.total} className="whitespace-nowrap" />
            </div>
            <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-label text-ink-3">
              <time dateTime={order.promisedDate}>{formatDay(order.promisedDate, lang, 'long')}</time>
              <OrderId id={order.id} />
            </div>
          </li>
        ))}
        {more > 0 && <li className="text-label text-ink-3">{t('profile.erase.more', { count: more })}</li>}
      </ul>
    </div>
  )
}
