import { formatDay } from '@qatra/contract/calendar'
import { getRun } from '@qatra/contract/drivers'
import { formatOrderId } from '@qatra/contract/order-id'
import { isClosed } from '@qatra/contract/order-status'
import type { Order } from '@qatra/contract/orders'
import type { AdminOrder } from '@qatra/contract/orders-admin'
import { telLink, whatsappLink } from '@qatra/contract/phone'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLanguage, useT } from '../../app/i18n.tsx'
import { useUser } from '../../app/session.ts'
import { read } from '../../lib/api-client.ts'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { PanelPart } from '../../ui/admin/SidePanel.tsx'
import { Tool } from '../../ui/admin/Tool.tsx'
import { Phone } from '../../ui/Bidi.tsx'
import { ContactLinks } from './ContactLinks.tsx'
import { nearDay, runDayOf, today } from './day-words.ts'
import { nextAction } from './next-action.ts'

interface DayPartProps {
  order: Pick<Order, 'promisedDate' | 'status' | 'failedAttempts'>
  /** Action on the day. */
  tool?: ReactNode
}

/** The promised day, the largest text of the panel. */
export function DayPart({ order, tool }: DayPartProps) {
  const { t, lang } = useLanguage()
  const near = nearDay(order.promisedDate)
  const isLate = !isClosed(order.status) && order.promisedDate < today()
  return (
    <PanelPart>
      <p className="text-caption text-ink-3">{t('desk.delivery')}</p>
      <div className="flex flex-wrap items-center justify-between gap-2.5">
        <p className="text-title">
          <time dateTime={order.promisedDate}>{formatDay(order.promisedDate, lang, 'long')}</time>
        </p>
        {tool}
      </div>
      {isLate ? (
        <p className="font-strong text-clay">{t('desk.late')}</p>
      ) : (
        near && <p className="text-ink-2">{t(`admin.date.${near}`)}</p>
      )}
      {order.failedAttempts > 0 && !isClosed(order.status) && (
        <p className="text-clay">{t('desk.day.attempts', { count: order.failedAttempts })}</p>
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
            <Tool onClick={onChange}>{t('desk.act.chooseDriver')}</Tool>
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
          <p dir="auto" className="text-as-page truncate text-body leading-[1.6] font-strong">
            <span className="sr-only">{t('desk.column.driver')}: </span>
            {name}
          </p>
          <p className="text-ink-2">
            <StopOf order={order} driverId={driver.id} /> <Phone phone={driver.phone} />
          </p>
        </div>
        {order.can.assign && (
          <Tool className="no-print" onClick={onChange}>
            {t('desk.driver.change')}
          </Tool>
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

/** `Stop 7 of 14`, with the permission `drivers.run`. Numbers are those of the driver's page, cancelled stops included. */
function StopOf({ order, driverId }: { order: AdminOrder; driverId: number }) {
  const t = useT()
  const mayRead = useUser()?.permissions.includes('drivers.run') ?? false
  const { data } = useQuery({
    ...read(getRun, { params: { id: String(driverId) }, query: { date: runDayOf(order) } }),
    enabled: mayRead,
  })
  const stops = data?.stops.filter(({ status }) => status !== 'cancelled') ?? []
  const stop = stops.find(({ id }) => id === order.id)
  const last = stops.at(-1)
  return stop && last ? (
    <span className="block text-ink">{t('desk.driver.stop', { number: stop.number, count: last.number })}</span>
  ) : null
}
