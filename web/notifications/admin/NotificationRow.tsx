import { bahrainTime } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { formatPhone } from '@qatra/contract/lib/phone'
import { type Kind, notificationKinds } from '@qatra/contract/notifications/kinds'
import type { Notification } from '@qatra/contract/notifications/notifications'
import { shortId } from '@qatra/contract/orders/order-id'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useInLang } from '../../app/names.ts'
import { useUser } from '../../lib/current-user.ts'
import { type Translate, useLanguage } from '../../lib/language/i18n.tsx'
import { dayOfYear } from '../../ui/admin/day-words.ts'
import { BottleIcon } from '../../ui/admin/icons.ts'
import { classes } from '../../ui/class-names.ts'
import {
  BoxIcon,
  CalendarIcon,
  CashIcon,
  CheckIcon,
  CloseIcon,
  EditIcon,
  type Icon,
  LinkIcon,
  MinusIcon,
  NewIcon,
  PhoneIcon,
  PinIcon,
  SmsIcon,
  TruckIcon,
  WarningIcon,
} from '../../ui/icons.tsx'

interface Style {
  className: string
  icon: Icon
}
/** Of kinds without one of their own. */
const orderStyle: Style = { className: 'bg-gulf-soft text-gulf', icon: EditIcon }
const otherStyle: Style = { className: 'bg-well text-ink-2', icon: SmsIcon }
const styles: Partial<Record<Kind, Style>> = {
  'order-placed': { className: 'bg-new text-new-ink', icon: NewIcon },
  'order-moved': { className: 'bg-progress text-progress-ink', icon: BoxIcon },
  'order-cancelled': { className: 'bg-cancel text-cancel-ink', icon: CloseIcon },
  'order-attempted': { className: 'bg-clay-soft text-clay', icon: WarningIcon },
  'order-assigned': { className: 'bg-gulf-soft text-gulf', icon: TruckIcon },
  'order-unassigned': { className: 'bg-well text-ink-2', icon: MinusIcon },
  'order-driver-left': { className: 'bg-clay-soft text-clay', icon: WarningIcon },
  'order-rescheduled': { className: 'bg-gulf-soft text-gulf', icon: CalendarIcon },
  'order-day-changed': { className: 'bg-gulf-soft text-gulf', icon: CalendarIcon },
  'order-needs-call': { className: 'bg-clay-soft text-clay', icon: PhoneIcon },
  'order-rated-bad': { className: 'bg-clay-soft text-clay', icon: WarningIcon },
  'order-address-changed': { className: 'bg-gulf-soft text-gulf', icon: PinIcon },
  'visit-requested': { className: 'bg-new text-new-ink', icon: BottleIcon },
  'visit-cancelled': { className: 'bg-cancel text-cancel-ink', icon: CloseIcon },
  'order-payment-changed': { className: 'bg-well text-ink-2', icon: CashIcon },
  'message-received': { className: 'bg-gulf-soft text-gulf', icon: SmsIcon },
  'conversation-waiting': { className: 'bg-clay-soft text-clay', icon: SmsIcon },
  'conversation-late': { className: 'bg-clay-soft text-clay', icon: WarningIcon },
  'campaign-stopped': { className: 'bg-clay-soft text-clay', icon: WarningIcon },
  'account-alarm': { className: 'bg-clay-soft text-clay', icon: WarningIcon },
  'connection-changed': { className: 'bg-well text-ink-2', icon: LinkIcon },
}
const stylesByStatus: Partial<Record<NonNullable<Notification['status']>, Style>> = {
  shipped: { className: 'bg-shipped text-shipped-ink', icon: TruckIcon },
  delivered: { className: 'bg-done text-done-ink', icon: CheckIcon },
}

const styleOf = ({ kind, status }: Pick<Notification, 'kind' | 'status'>) =>
  (kind === 'order-moved' && status ? stylesByStatus[status] : undefined) ??
  styles[kind] ??
  (notificationKinds[kind].stream === 'orders' ? orderStyle : otherStyle)

export function titleOf(t: Translate, { kind, status }: Pick<Notification, 'kind' | 'status'>): string {
  return kind === 'order-moved'
    ? t('notifications.order-moved', { status: t(`admin.status.${status ?? 'new'}`) })
    : t(`notifications.${kind}`)
}

/** Links to the order if the person may still open it. */
export function NotificationRow({ item, onFollow }: { item: Notification; onFollow(): void }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const user = useUser()
  const { order, orderId, contact, campaign, visit, isRead } = item
  const { className, icon: StateIcon } = styleOf(item)
  const parts = visit
    ? [visit.customerName, inLang(visit.areaName, visit.areaNameAr), dayOfYear(visit.date, lang)]
    : order
      ? [
          order.customerName,
          inLang(order.areaName, order.areaNameAr),
          ...(user?.role === 'super_admin' ? [inLang(order.vendorName, order.vendorNameAr)] : []),
        ]
      : contact
        ? [contact.name ?? (contact.phone && formatPhone(contact.phone))]
        : campaign
          ? [campaign.name, campaign.reason]
          : []
  return (
    <RowFrame item={item} onFollow={onFollow}>
      <span aria-hidden="true" className={classes('grid size-9 flex-none place-items-center rounded-full', className)}>
        <StateIcon size={17} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={classes('min-w-0 truncate', isRead ? 'text-ink' : 'font-strong')}>{titleOf(t, item)}</span>
          {orderId && (
            <bdi dir="ltr" className="text-caption text-ink-3">
              {shortId(orderId)}
            </bdi>
          )}
          <time dateTime={item.at} className="ms-auto flex-none text-caption text-ink-3">
            <bdi>{bahrainTime(new Date(item.at))}</bdi>
          </time>
        </span>
        <span className="flex items-baseline gap-2 text-label text-ink-2">
          <span className="min-w-0 truncate">
            {parts.filter(Boolean).map((part, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is fixed.
              <span key={n}>
                {n > 0 && ' · '}
                <bdi>{part}</bdi>
              </span>
            ))}
            {parts.length === 0 && item.byName && t('notifications.by', { name: item.byName })}
          </span>
          {order && <bdi className="ms-auto flex-none">{formatMoney(fromBhd(order.total), lang)}</bdi>}
        </span>
      </span>
      <span className="grid w-2 flex-none place-items-center self-center">
        {!isRead && (
          <>
            <span aria-hidden="true" className="size-2 rounded-full bg-aqua-ink" />
            <span className="sr-only">{t('notifications.unread')}</span>
          </>
        )}
      </span>
    </RowFrame>
  )
}

const frame = 'flex w-full items-start gap-3 px-4 py-2.5 text-start min-h-tap'

function RowFrame({ item, onFollow, children }: { item: Notification; onFollow(): void; children: ReactNode }) {
  const role = useUser()?.role
  const { order, orderId, contact, campaign, visit, isRead } = item
  const className = classes(frame, 'hover:bg-well focus-visible:bg-well')
  if (contact) {
    const search = { open: contact.id } // the inbox reads its own search
    return (
      <Link to="/admin/whatsapp" search={search} className={className} onClick={onFollow}>
        {children}
      </Link>
    )
  }
  if (campaign) {
    return (
      <Link to="/admin/whatsapp/campaigns/$id" params={{ id: campaign.id }} className={className} onClick={onFollow}>
        {children}
      </Link>
    )
  }
  if (visit) {
    const search = { date: visit.date }
    return (
      <Link
        to={role === 'driver' ? '/admin/run' : '/admin/drivers'}
        search={search}
        className={className}
        onClick={onFollow}
      >
        {children}
      </Link>
    )
  }
  if (item.kind === 'account-alarm') {
    return (
      <Link to="/admin/whatsapp/connection" className={className} onClick={onFollow}>
        {children}
      </Link>
    )
  }
  if (!order || !orderId) {
    if (isRead) return <div className={frame}>{children}</div>
    return (
      <button type="button" className={className} onClick={onFollow}>
        {children}
      </button>
    )
  }
  const shared = { className, onClick: onFollow, children }
  if (role === 'vendor_sales') return <Link to="/admin/sales/$id" params={{ id: orderId }} {...shared} />
  if (role === 'driver') return <Link to="/admin/orders/$id" params={{ id: orderId }} {...shared} />
  return <Link to="/admin/orders" search={{ open: orderId }} {...shared} />
}
