import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { buyerNames, changeFrom } from '@qatra/contract/orders/buyer'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { PhoneIcon, PinIcon, UserIcon } from '../ui/icons.tsx'

export function OrderAddress({ order }: { order: Order }) {
  const t = useT()
  return (
    <div className="grid gap-2">
      <div className="flex gap-3">
        <PinIcon size={22} aria-hidden="true" className="mt-0.75 text-gulf" />
        <div className="min-w-0">
          {/* Keeps a number on the line of its label: block 428, flat 34. */}
          <p dir="auto" className="text-as-page text-pretty break-words">
            {order.address.replace(/ (?=\d)/g, '\u00a0')}
          </p>
          {order.instructions && (
            <>
              <span className="sr-only">{t('order.instructions')}: </span>
              <p dir="auto" className="text-as-page text-label break-words whitespace-pre-line text-ink-3">
                {order.instructions}
              </p>
            </>
          )}
        </div>
      </div>
      <p className="flex items-center gap-3">
        <PhoneIcon size={22} aria-hidden="true" className="text-gulf" />
        <span className="sr-only">{t('order.phone')}: </span>
        <Phone phone={order.phone} />
      </p>
      {(order.receiverName || order.receiverPhone) && (
        <p className="flex items-center gap-3">
          <UserIcon size={22} aria-hidden="true" className="text-gulf" />
          <span className="min-w-0">
            {t('order.receiver')}: <bdi>{order.receiverName}</bdi>{' '}
            {order.receiverPhone && <Phone phone={order.receiverPhone} />}
          </span>
        </p>
      )}
      <BuyerFacts order={order} words="order" />
    </div>
  )
}

/** The company that buys, and the change that the driver brings. */
export function BuyerFacts({ order, words }: { order: Order; words: 'order' | 'desk' }) {
  const { t, lang } = useLanguage()
  const facts = buyerNames.filter((name) => order[name])
  const back = isClosed(order.status) ? 0 : changeFrom(order.payingWith, order.cashDue)
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  return (
    <>
      {facts.length > 0 && (
        <dl className="text-label text-ink-2">
          {facts.map((name) => (
            <div key={name} className="flex flex-wrap gap-x-1.5">
              <dt>{t(`${words}.buyer.${name}`)}:</dt>
              <dd className="min-w-0 break-words">
                <bdi>{order[name]}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {back > 0 && (
        <p className="text-label text-ink-2">
          {t(`${words}.change`, { amount: money(back), notes: money(order.payingWith ?? 0) })}
        </p>
      )}
    </>
  )
}
