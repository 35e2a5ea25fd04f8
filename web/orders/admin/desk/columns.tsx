import { plainAmount } from '@qatra/contract/lib/money'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { useMemo } from 'react'
import { useInLang } from '../../../app/names.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Avatar } from '../../../ui/admin/Avatar.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { useRowTabIndex } from '../../../ui/admin/table/table-model.ts'
import { Phone } from '../../../ui/Bidi.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { AreaName, ItemBottles, PaidBadge, PlacedAt, StatusBadge, StopMark } from '../OrderParts.tsx'
import type { Stop } from '../use-stops.ts'
import { DueDay, DueProblem } from './DueMark.tsx'
import { type DeskState, isOneDay } from './desk-search.ts'

interface ColumnOptions {
  /** Its filters say what some columns would repeat. */
  state: DeskState

  hasVendors: boolean
  isDriver: boolean
  onAssign(order: AdminOrder): void
  stops: ReadonlyMap<string, Stop>
  /** Initials by id. */
  initials: ReadonlyMap<number, string>
}

/** Table columns; columns of one role are omitted for others. */
export function useOrderColumns(options: ColumnOptions): readonly Column<AdminOrder>[] {
  const { state, hasVendors, isDriver, onAssign, stops, initials } = options
  const isOfDay = isOneDay(state)
  const isOfVendor = state.vendor.length === 1
  const isOfStatus = state.status.length === 1
  const isOfPayment = state.payment.length === 1
  const { t } = useLanguage()
  const inLang = useInLang()
  return useMemo(() => {
    const all: (Column<AdminOrder> | false)[] = [
      {
        key: 'order',
        title: t('desk.column.order'),
        width: 68,
        fixed: true,
        cell: (order) => (
          <bdi dir="ltr" className="font-strong" title={order.id}>
            {shortId(order.id)}
          </bdi>
        ),
      },
      {
        key: 'createdAt',
        title: t('desk.column.placed'),
        width: 104,
        yields: 10,
        sortable: true,
        hiddenAtFirst: true,
        cell: (order) => (
          <span className="text-ink-2">
            <PlacedAt order={order} />
          </span>
        ),
      },
      {
        key: 'customer',
        title: t('desk.column.customer'),
        sortable: true,
        isText: true,
        fixed: true,
        cell: (order) => (
          <span dir="auto" className="text-as-page block truncate leading-[1.7]">
            {order.customerName}
          </span>
        ),
      },
      {
        key: 'phone',
        title: t('desk.column.phone'),
        width: 132,
        yields: 6,
        hiddenAtFirst: true,
        cell: (order) => <Phone phone={order.phone} className="text-ink-2" />,
      },
      hasVendors &&
        !isOfVendor && {
          key: 'vendor',
          title: t('admin.vendor'),
          width: 104,
          yields: 4,
          cell: (order) => <span className="text-ink-2">{inLang(order.vendorName, order.vendorNameAr)}</span>,
        },
      {
        key: 'area',
        title: t('desk.column.area'),
        sortable: true,
        isText: true,
        cell: (order) =>
          isOfDay ? (
            <span className="flex items-baseline gap-2.5">
              <span className="truncate">
                <AreaName order={order} />
              </span>
              <DueProblem order={order} />
            </span>
          ) : (
            <AreaName order={order} />
          ),
      },
      !isOfDay && {
        key: 'promised',
        title: t('desk.column.promised'),
        width: 144,
        cell: (order) => <DueDay order={order} />,
      },
      {
        key: 'items',
        title: t('desk.column.items'),
        width: 164,
        yields: 9,
        cell: (order) => <ItemBottles order={order} />,
      },
      {
        key: 'total',
        title: t('desk.column.total'),
        width: 78,
        align: 'end',
        sortable: true,
        cell: (order) => <bdi className="font-strong">{plainAmount(order.total)}</bdi>,
      },
      !isOfStatus && {
        key: 'status',
        title: t('desk.column.status'),
        width: 134,
        cell: (order) => <StatusBadge order={order} />,
      },
      !isOfPayment && {
        key: 'payment',
        title: t('desk.column.payment'),
        width: 136,
        yields: 5,
        hiddenAtFirst: true,
        cell: (order) => <PaidBadge order={order} />,
      },
      !isDriver && {
        key: 'driver',
        title: t('desk.column.driver'),
        width: 132,
        cell: (order) => (
          <span className="flex items-center gap-1.5">
            <DriverCell order={order} onAssign={onAssign} label={t} initials={initials} />
            <StopMark order={order} stop={stops.get(order.id)} />
          </span>
        ),
      },
    ]
    return all.filter((column) => column !== false)
  }, [t, inLang, isOfDay, isOfVendor, isOfStatus, isOfPayment, hasVendors, isDriver, onAssign, stops, initials])
}

type Label = ReturnType<typeof useLanguage>['t']

/** The driver, or a button to assign one. */
function DriverCell({
  order,
  onAssign,
  label,
  initials,
}: Pick<ColumnOptions, 'onAssign' | 'initials'> & { order: AdminOrder; label: Label }) {
  const tabIndex = useRowTabIndex()
  const { driver } = order
  const name = driver && (driver.name ?? driver.phone)
  const avatar = name ? (
    <Avatar name={name} initials={initials.get(driver.id)} size="small" title={label('desk.driverOf', { name })} />
  ) : (
    <span className="no-print grid size-6.5 place-items-center rounded-full border border-dashed border-line-strong text-ink-3">
      <PlusIcon size={14} aria-hidden="true" />
    </span>
  )
  if (!order.can.assign) return name ? avatar : null
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={name ? label('desk.driverOf', { name }) : label('desk.assignRow', { id: shortId(order.id) })}
      title={name ?? label('desk.act.chooseDriver')}
      className="-m-1 grid place-items-center rounded-full p-1 hover:bg-well-2"
      onClick={() => onAssign(order)}
    >
      {avatar}
    </button>
  )
}
