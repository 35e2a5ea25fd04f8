import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { isClosed, ratedParts } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import type { ReactNode } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { Avatar } from '../../../ui/admin/Avatar.tsx'
import { nearDay } from '../../../ui/admin/day-words.ts'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { Phone } from '../../../ui/Bidi.tsx'
import { nextAction } from '../next-action.ts'
import { daysLate } from '../order-days.ts'
import { useStops } from '../use-stops.ts'
import { ContactLinks } from './ContactLinks.tsx'

interface DayPartProps {
  order: Pick<Order, 'promisedDate' | 'status' | 'failedAttempts'>
  /** Action on the day. */
  tool?: ReactNode
}

/** The promised day, the largest text of the panel. */
export function DayPart({ order, tool }: DayPartProps) {
  const { t, lang } = useLanguage()
  const slot = slotOf(order)
  const near = nearDay(slot.date)
  const late = daysLate(order) ?? 0
  return (
    <PanelPart>
      <p className="text-caption text-ink-3">{t('desk.delivery')}</p>
      <div className="flex flex-wrap items-center justify-between gap-2.5">
        <p className="text-title">
          <time dateTime={slot.date}>{slotWords(slot, lang, 'long')}</time>
        </p>
        {tool}
      </div>
      {late > 0 ? (
        <p className="font-strong text-clay">{t('desk.lateBy', { count: late })}</p>
      ) : (
        near && <p className="text-ink-2">{t(`admin.date.${near}`)}</p>
      )}
      {order.failedAttempts > 0 && !isClosed(order.status) && (
        <p className="text-clay">
          {t('desk.day.attempts', { count: order.failedAttempts })} ·{' '}
          {t('admin.attemptNumber', { number: order.failedAttempts + 1 })}
        </p>
      )}
    </PanelPart>
  )
}

interface DriverPartProps {
  order: AdminOrder
  onChange(): void
}

/** The driver, the stop number and contact links. */
export function DriverPart({ order, onChange }: DriverPartProps) {
  const t = useT()
  const { driver } = order
  if (!driver) {
    if (isClosed(order.status)) return null
    return (
      <PanelPart>
        <div className="flex items-center justify-between gap-2.5">
          <p className="text-ink-2">{t('desk.driver.none')}</p>
          {order.can.assign && nextAction(order, false)?.kind !== 'driver' && (
            <ToolbarButton onClick={onChange}>{t('desk.act.chooseDriver')}</ToolbarButton>
          )}
        </div>
      </PanelPart>
    )
  }
  const name = driver.name ?? driver.phone
  return (
    <PanelPart>
      <div className="flex items-center gap-2.5">
        <Avatar name={name} size="large" />
        <div className="min-w-0 flex-1">
          <span className="sr-only">{t('desk.column.driver')}: </span>
          <p dir="auto" className="text-as-page truncate text-body leading-[1.6] font-strong">
            {name}
          </p>
          <p className="text-ink-2">
            <StopOf order={order} /> <Phone phone={driver.phone} />
          </p>
        </div>
        {order.can.assign && (
          <ToolbarButton className="no-print" onClick={onChange}>
            {t('desk.driver.change')}
          </ToolbarButton>
        )}
        <ContactLinks
          name={name}
          chat={whatsappLink(driver.phone, t('desk.driver.whatsappText', { id: formatOrderId(order.id) }))}
          tel={telLink(driver.phone)}
        />
      </div>
    </PanelPart>
  )
}

/** What the customer said of the delivery. */
export function RatingPart({ order: { rating } }: { order: Pick<Order, 'rating'> }) {
  const { t, lang } = useLanguage()
  if (!rating) return null
  return (
    <PanelPart title={t('desk.rating')}>
      <dl className="flex flex-wrap gap-x-6">
        {ratedParts.map((part) => (
          <div key={part} className="flex gap-1.5">
            <dt className="text-ink-2">{t(`desk.rating.${part}`)}</dt>
            <dd className={rating[part] === 'bad' ? 'font-strong text-clay' : 'font-strong'}>
              {t(`desk.rating.${rating[part] ?? 'none'}`)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-ink-3">
        <time dateTime={rating.at}>{formatDateTime(new Date(rating.at), lang)}</time>
      </p>
    </PanelPart>
  )
}

/** `Stop 7 of 14`; a cancelled order is none. */
function StopOf({ order }: { order: AdminOrder }) {
  const t = useT()
  const stop = useStops([order]).byOrder.get(order.id)
  return stop && order.status !== 'cancelled' ? (
    <span className="block text-ink">{t('desk.driver.stop', { number: stop.number, count: stop.last })}</span>
  ) : null
}
