import { compareSlots, slotOf } from '@qatra/contract/calendar/slot'
import { customerStatus, isClosed, type openStatuses } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { Link } from '@tanstack/react-router'
import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../../ui/class-names.ts'
import { EndIcon } from '../../ui/icons.tsx'
import { useArrivalText } from '../arrival.ts'
import { useLiveOrders } from '../live-orders.ts'
import { OrderState } from '../OrderStateBadges.tsx'

type Open = Order & { status: (typeof openStatuses)[number] }

const isOpen = (order: Order): order is Open => !isClosed(order.status)
const byArrival = (a: Open, b: Open) => compareSlots(slotOf(a), slotOf(b)) || (a.createdAt < b.createdAt ? -1 : 1)

/** The open order that arrives first, with its state; further ones as a count. */
export function OpenOrder({ orders }: { orders: readonly Order[] }) {
  const t = useT()
  const arrivalText = useArrivalText()
  useLiveOrders(orders)
  const [order, ...more] = orders.filter(isOpen).sort(byArrival)
  if (!order) return null
  const reached = customerStatus(order.status) === 'new' ? 1 : 2
  return (
    <section aria-label={t(`open.${order.status}`)} className="mt-2 rounded-l inset-ring inset-ring-line">
      <Link to="/orders/$id" params={{ id: order.id }} className="block rounded-l px-3.5 py-2.5">
        <span className="flex items-center gap-2">
          <b className="min-w-0 flex-1 text-label leading-[1.6]">{arrivalText(order, 'weekday')}</b>
          <OrderState order={order} />
          <EndIcon size={18} aria-hidden="true" className="max-sm:hidden" />
        </span>
        <span aria-hidden="true" className="mt-2 grid grid-cols-3 gap-1.5">
          {[1, 2, 3].map((step) => (
            <span
              key={step}
              className={classes(
                'h-1 rounded-full',
                step < reached ? 'bg-gulf' : step === reached ? 'bg-aqua' : 'bg-well-2',
              )}
            />
          ))}
        </span>
      </Link>
      {more.length > 0 && (
        <Link
          to="/orders"
          className="flex min-h-tap items-center border-t border-line px-3.5 text-label font-strong text-aqua-ink"
        >
          {t('open.more', { count: more.length })}
        </Link>
      )}
    </section>
  )
}
