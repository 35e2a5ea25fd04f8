import type { AdminOrder } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { Avatar } from '../../../ui/admin/Avatar.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { AreaName, ItemBottles, PlacedAt, StatusBadge, StopMark, type WithItems } from '../OrderParts.tsx'
import type { Stop } from '../use-stops.ts'
import { DueProblem } from './DueMark.tsx'

type CardOrder = Pick<
  AdminOrder,
  | 'id'
  | 'status'
  | 'processing'
  | 'assignedDriverId'
  | 'createdAt'
  | 'promisedDate'
  | 'failedAttempts'
  | 'lastAttemptAt'
  | 'customerName'
  | 'total'
  | 'areaName'
  | 'areaNameAr'
  | 'addressParts'
> &
  WithItems & { driver?: AdminOrder['driver'] }

interface OrderCardProps {
  order: CardOrder
  stop?: Stop | undefined
  /** Initials of the drivers by id. */
  initials?: ReadonlyMap<number, string>
}

/** One order on a phone. */
export function OrderCard({ order, stop, initials }: OrderCardProps) {
  const driver = order.driver?.name ?? order.driver?.phone
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex items-center gap-2">
        <bdi dir="ltr" className="font-strong">
          {shortId(order.id)}
        </bdi>
        <span className="text-ink-3">
          <PlacedAt order={order} />
        </span>
        <DueProblem order={order} />
        <span className="ms-auto">
          <StatusBadge order={order} />
        </span>
      </div>
      <div className="flex items-baseline gap-2">
        <bdi className="min-w-0 truncate text-body leading-[1.7] font-strong">{order.customerName}</bdi>
        <Money bhd={order.total} className="ms-auto flex-none font-strong" />
      </div>
      <div className="flex items-end gap-2 text-ink-2">
        <span className="min-w-0 truncate leading-[1.7]">
          <AreaName order={order} />
        </span>
        <span className="ms-auto flex flex-none items-end gap-3">
          <ItemBottles order={order} />
          <StopMark order={order} stop={stop} />
          {driver && (
            <Avatar name={driver} initials={initials?.get(order.driver?.id ?? 0)} size="small" title={driver} />
          )}
        </span>
      </div>
    </div>
  )
}
