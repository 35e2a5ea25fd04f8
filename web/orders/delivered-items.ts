import type { Run } from '@qatra/contract/drivers'
import { fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { cashDue, paymentAfter } from '@qatra/contract/orders/cash'
import type { Order } from '@qatra/contract/orders/orders'
import { type Charges, chargesInBhd, orderTotals } from '@qatra/contract/orders/totals'

/** An order of which more or fewer can be handed over, also as a stop of a run. */
export type Deliverable = Pick<
  Order,
  'status' | 'items' | keyof Charges | 'paymentMethod' | 'paymentStatus' | 'amountPaid' | 'customerName'
>

/** A product of the vendor at today's price. */
export type VanProduct = Run['products'][number]

type Quantities = ReadonlyMap<number, number>
/** Pieces handed over: of items by their id, others as ordered; of products that are no item by theirs. */
export interface HandedOver {
  items: Quantities
  van: Quantities
}

/** The products that are no item of the order. */
export const othersOf = ({ items }: Pick<Deliverable, 'items'>, products: readonly VanProduct[]) =>
  products.filter(({ id }) => items.every(({ productId }) => productId !== id))

/** What differs from the order, and by the server's rules the total and the cash that is due for it, in BHD. */
export function deliveryOf(order: Deliverable, products: readonly VanProduct[], { items, van }: HandedOver) {
  const lines = order.items.map(({ id, price, vatPercentage, quantity: ordered }) => {
    return { itemId: id, price: fromBhd(price), vatPercentage, ordered, quantity: items.get(id) ?? ordered }
  })
  const more = othersOf(order, products).map(({ id, price, vatPercentage }) => {
    return { productId: id, price: fromBhd(price), vatPercentage, quantity: van.get(id) ?? 0 }
  })
  const handedOver = [...lines, ...more].filter(({ quantity }) => quantity > 0)
  const delivered = lines
    .filter(({ quantity, ordered }) => quantity !== ordered)
    .map(({ itemId, quantity }) => ({ itemId, quantity }))
  const added = more.filter(({ quantity }) => quantity > 0).map(({ productId, quantity }) => ({ productId, quantity }))
  const { total } = orderTotals(handedOver, chargesInBhd(order))
  const received = fromBhd(order.amountPaid)
  const bill = { ...order, total, received, paymentStatus: paymentAfter(order.paymentStatus, { total, received }) }
  return {
    report: { ...(delivered.length > 0 && { delivered }), ...(added.length > 0 && { added }) },
    total: toBhd(total),
    due: toBhd(cashDue(bill)),
    /** What was paid above the total. */
    owed: toBhd(fils(Math.max(0, received - total))),
    isAll: delivered.length + added.length === 0,
    isNothing: handedOver.length === 0,
  }
}
