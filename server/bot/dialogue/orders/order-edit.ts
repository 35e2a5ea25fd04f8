import { addDays, bahrainDate, weekdayOf } from '@qatra/contract/calendar/calendar'
import { quantityLimit } from '@qatra/contract/cart/rules'
import { fromBhd, toBhd } from '@qatra/contract/lib/money'
import type { Order } from '@qatra/contract/orders/orders'
import { chargesInBhd, orderTotals } from '@qatra/contract/orders/totals'
import type { Catalogue } from '../../../catalogue/queries.ts'
import type { Item } from '../../understanding/resolving.ts'
import type { Day } from '../../understanding/slots.ts'
import type { CartLine } from '../memory.ts'

/** The calendar date of a day that was said; a weekday is the next one. */
export function dateOf(day: Day, now: Date): string {
  const today = bahrainDate(now)
  if (day === 'today') return today
  if (day === 'tomorrow') return addDays(today, 1)
  if (day === 'afterTomorrow') return addDays(today, 2)
  return addDays(today, ((day - weekdayOf(today) + 6) % 7) + 1)
}

/** The lines of an order that name a product. */
export const linesOf = ({ items }: Pick<Order, 'items'>): CartLine[] =>
  items.flatMap(({ productId, quantity }) => (productId === null || quantity === 0 ? [] : [{ productId, quantity }]))

export type Edited = { lines: CartLine[] } | { problem: 'which' | 'quantity' }

/** The lines after the requested changes. A product that is not clear, or a quantity out of range, changes nothing. */
export function editLines(before: readonly CartLine[], items: readonly Item[]): Edited {
  const lines = new Map(before.map(({ productId, quantity }) => [productId, quantity]))
  let leaving: number | null = null
  for (const { productIds, change, quantity, swap } of items.filter((item) => item.change !== 'refuse')) {
    const [productId, ...others] = productIds
    if (productId === undefined || others.length > 0) return { problem: 'which' }
    const had = lines.get(productId)
    const isOut = change === 'remove' || swap === 'from'
    if (had === undefined && (isOut || change === 'less')) return { problem: 'which' }
    if (isOut) leaving = had ?? null
    const amount: number | null = quantity ?? (swap === 'to' ? leaving : null)
    if (amount === null && !isOut) return { problem: 'quantity' }
    lines.set(productId, isOut ? 0 : quantityAfter(change, had ?? 0, amount ?? 0))
  }
  const left = [...lines].flatMap(([productId, quantity]) => (quantity > 0 ? [{ productId, quantity }] : []))
  return left.every(({ quantity }) => Number.isInteger(quantity) && quantity <= quantityLimit)
    ? { lines: left }
    : { problem: 'quantity' }
}

function quantityAfter(change: Item['change'], had: number, amount: number): number {
  if (change === 'add') return had + amount
  return change === 'less' ? Math.max(0, had - amount) : amount
}

/** BHD: kept lines at the price of the order, new ones at today's. Null if a product is gone. */
export function totalOf(
  order: Order,
  lines: readonly CartLine[],
  { products }: Pick<Catalogue, 'products'>,
): number | null {
  const priced = lines.flatMap(({ productId, quantity }) => {
    const item = order.items.find((one) => one.productId === productId)
    if (item) return [{ price: fromBhd(item.price), vatPercentage: item.vatPercentage, quantity }]
    const product = products.get(productId)
    return product?.isActive ? [{ price: product.price, vatPercentage: product.vatPercentage, quantity }] : []
  })
  if (priced.length < lines.length) return null
  // Lines of deleted products stay as they are.
  const fixed = order.items.filter(({ productId, quantity }) => productId === null && quantity > 0)
  const kept = fixed.map(({ price, vatPercentage, quantity }) => ({ price: fromBhd(price), vatPercentage, quantity }))
  return toBhd(orderTotals([...priced, ...kept], chargesInBhd(order)).total)
}
