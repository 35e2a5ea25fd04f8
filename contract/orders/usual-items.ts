import type { Order, OrderItem } from './orders.ts'

/** Orders that are looked at, and in how many of them a product must be. */
const LAST_ORDERS = 5
const TIMES = 2

export interface UsualItem {
  productId: number
  quantity: number
}

type OrderedItem = Pick<OrderItem, 'productId' | 'quantity' | 'orderedQuantity'>
type Ordered = Pick<Order, 'vendorId' | 'status'> & { items: readonly OrderedItem[] }

const latest = (orders: readonly Ordered[]) =>
  orders.filter(({ status }) => status !== 'cancelled').slice(0, LAST_ORDERS)

/** The vendor of the usual items, else of the newest order. */
export function usualVendorId(orders: readonly Ordered[]): number | undefined {
  const ids = usualItems(orders).map(({ productId }) => productId)
  const usual = latest(orders).find(({ items }) => items.some(({ productId }) => productId && ids.includes(productId)))
  return (usual ?? latest(orders)[0])?.vendorId
}

/**
 * What a customer usually orders: the products of at least two of the last five orders that were not cancelled, each
 * in the quantity that its newest order asked for. A cart has one vendor: that of the newest order with such a product.
 * @param orders newest first
 */
export function usualItems(orders: readonly Ordered[]): UsualItem[] {
  const last = latest(orders)
  const ordersWith = (productId: number) =>
    last.filter(({ items }) => items.some((item) => item.productId === productId))
  const isUsual = ({ productId }: OrderedItem) => productId !== null && ordersWith(productId).length >= TIMES
  const vendorId = last.find(({ items }) => items.some(isUsual))?.vendorId
  const usual = new Map<number, number>()
  for (const { items } of last.filter((order) => order.vendorId === vendorId))
    for (const item of items)
      if (item.productId !== null && isUsual(item) && !usual.has(item.productId))
        usual.set(item.productId, item.orderedQuantity || item.quantity)
  return [...usual].map(([productId, quantity]) => ({ productId, quantity }))
}

/** The items of the newest order that was not cancelled, in the quantities that it asked for. */
export const lastItems = (orders: readonly Ordered[]): UsualItem[] =>
  (latest(orders)[0]?.items ?? []).flatMap(({ productId, quantity, orderedQuantity }) =>
    productId === null ? [] : [{ productId, quantity: orderedQuantity || quantity }],
  )
