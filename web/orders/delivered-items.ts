import { fromBhd, toBhd } from '@qatra/contract/lib/money'
import { cashDue, type DeliveredItem } from '@qatra/contract/orders/cash'
import type { Order } from '@qatra/contract/orders/orders'
import { type Charges, chargesInBhd, orderTotals } from '@qatra/contract/orders/totals'

/** An order of which a part can be delivered, also as a stop of a run. */
export type Deliverable = Pick<
  Order,
  'status' | 'items' | keyof Charges | 'paymentMethod' | 'paymentStatus' | 'amountPaid' | 'customerName'
>

/** Handed over quantities by item id; other items are handed over as ordered. */
export type Quantities = ReadonlyMap<number, number>

const count = (quantities: readonly number[]) => quantities.reduce((sum, quantity) => sum + quantity, 0)

/** A paid order is delivered as a whole, and one piece has no parts. */
export const canDeliverPart = ({ items, paymentStatus }: Deliverable) =>
  paymentStatus !== 'paid' && count(items.map(({ quantity }) => quantity)) > 1

/** The items that differ from the order, and by the server's rules the total and the cash that is due for it, in BHD. */
export function partOf(order: Deliverable, quantities: Quantities) {
  const { items } = order
  const lines = items.map(({ id, quantity, ...item }) => {
    return { ...item, id, price: fromBhd(item.price), ordered: quantity, quantity: quantities.get(id) ?? quantity }
  })
  const delivered: DeliveredItem[] = lines
    .filter(({ quantity, ordered }) => quantity !== ordered)
    .map(({ id: itemId, quantity }) => ({ itemId, quantity }))
  const { total } = orderTotals(lines, chargesInBhd(order))
  return {
    delivered,
    total: toBhd(total),
    due: toBhd(cashDue({ ...order, total, received: fromBhd(order.amountPaid) })),
    isAll: delivered.length === 0,
    isNothing: lines.every(({ quantity }) => quantity === 0),
  }
}
