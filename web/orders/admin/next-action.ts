import { givenName } from '@qatra/contract/lib/given-name'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { MessageKey } from '../../lib/language/i18n.tsx'

/** The next step of an order: a status change or the choice of a driver. */
export type NextAction =
  | { kind: 'move'; to: OrderStatus; key: MessageKey; values?: Record<string, string>; isCash?: boolean }
  | { kind: 'driver' }
  | { kind: 'pay' }
  | null

/** The next action that the person is permitted to do. */
export function nextAction(order: AdminOrder, isDriver: boolean): NextAction {
  const { can, status, driver } = order
  const may = (to: OrderStatus) => can.changeStatus.includes(to)
  if (status === 'new' && may('in-progress')) return { kind: 'move', to: 'in-progress', key: 'desk.act.prepare' }
  if ((status === 'new' || status === 'in-progress') && may('shipped')) {
    if (isDriver) return { kind: 'move', to: 'shipped', key: 'desk.act.shipSelf' }
    if (driver)
      return {
        kind: 'move',
        to: 'shipped',
        key: 'desk.act.ship',
        values: { name: driver.name ? givenName(driver.name) : driver.phone },
      }
    return can.assign ? { kind: 'driver' } : { kind: 'move', to: 'shipped', key: 'desk.act.shipAlone' }
  }
  if (status === 'shipped' && may('delivered'))
    return isDriver && isCashDue(order)
      ? { kind: 'move', to: 'delivered', key: 'desk.act.deliverCash', isCash: true }
      : { kind: 'move', to: 'delivered', key: 'desk.act.deliver' }
  if (status === 'delivered' && order.paymentStatus !== 'paid' && can.payment.includes('paid')) return { kind: 'pay' }
  return null
}

/** Whether cash is still to collect. */
export const isCashDue = ({ cashDue }: Pick<AdminOrder, 'cashDue'>) => cashDue > 0

/** Pieces of all lines. */
export const unitsOf = (orders: readonly Pick<AdminOrder, 'items'>[]): number =>
  orders.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0)
