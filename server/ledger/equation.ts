/** Pure rules of the day's equation: where the money of a day's deliveries is. Fils. */

import type { PaymentMeans } from '@qatra/contract/orders/payments'

/** An order with entries of the day. */
export interface OrderMoney {
  id: string
  /** What the customer owes for it now; 0 if it is cancelled. */
  total: number
  /** The same at the start and at the end of the day. */
  totalAtStart: number
  totalAtEnd: number
  /** Fils that were delivered until the start of the day, and on it without what was taken back on it. */
  soldBefore: number
  sold: number
  /** Deliveries of the day without those taken back on it. */
  deliveries: number
  /** Delivered last on this day, and not taken back. */
  isDelivered: boolean
  /** Marked paid, or nobody has said that it was not collected. */
  needsPayment: boolean
  /** Who delivered it; null: the office. */
  driverId: number | null
  /** Paid on earlier days, on this day, and on later ones. */
  before: number
  today: number
  after: number
}

/** Sum of the day's entries of a holder, kind and means. */
export interface HeldMoney {
  holder: 'driver' | 'office'
  /** The driver, or the person of the office. */
  holderId: number | null
  name: string | null
  isHandover: boolean
  /** Deposits that were paid back beside orders; negative. */
  isRefund?: boolean
  means: PaymentMeans
  amount: number
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)

/** The part of what was paid that covers the total. */
export const coveredBy = (paid: number, total: number): number => Math.min(Math.max(paid, 0), Math.max(total, 0))

/**
 * What is wrong with an order on the day. Negative: what has been paid beyond the total since its start, by a payment or
 * because the total fell, and was not paid back since.
 * Positive: what is missing of an order that needs a payment.
 */
export function unexplainedOf(order: OrderMoney): number {
  const { total, totalAtStart, totalAtEnd, isDelivered, needsPayment, before, today, after } = order
  const paid = before + today
  const beyondToday = paid - coveredBy(paid, totalAtEnd) - (before - coveredBy(before, totalAtStart))
  const beyond = Math.min(Math.max(0, beyondToday), Math.max(0, paid + after - total))
  const missing = isDelivered && needsPayment ? total - coveredBy(paid + after, total) : 0
  return missing - beyond
}

/** One sum of each person of the office, in their order. */
const byPerson = (held: readonly HeldMoney[]) =>
  [...Map.groupBy(held, ({ holderId }) => holderId)].map(([id, own]) => {
    return { id, name: own[0]?.name ?? null, amount: sum(own.map(({ amount }) => amount)) }
  })

const leftOf = (sold: number, paid: number) => sold - coveredBy(paid, sold)

/** Of the day's deliveries what was not collected by the end of the day. */
const restOf = ({ soldBefore, sold, isDelivered, before, today }: OrderMoney) =>
  sold !== 0 || isDelivered ? leftOf(soldBefore + sold, before + today) - leftOf(soldBefore, before) : 0

/** What was not collected, without what needs a payment. */
const uncollectedOf = (order: OrderMoney) => restOf(order) - Math.max(0, unexplainedOf(order))

interface HolderSums {
  /** Null: the office. */
  driverId: number | null
  means: Map<PaymentMeans, number>
  paidBack: number
  notCollected: number
}

/** What each driver and the office took, and left uncollected of what they delivered. */
function sumsByHolder(orders: readonly OrderMoney[], held: readonly HeldMoney[]): HolderSums[] {
  const all = new Map<number | null, HolderSums>()
  const of = (driverId: number | null) => {
    const sums = all.get(driverId) ?? { driverId, means: new Map(), paidBack: 0, notCollected: 0 }
    all.set(driverId, sums)
    return sums
  }
  for (const { holder, holderId, means, amount, isHandover, isRefund } of held) {
    const sums = of(holder === 'driver' ? holderId : null)
    if (isRefund) sums.paidBack -= amount
    if (!isHandover) sums.means.set(means, (sums.means.get(means) ?? 0) + amount)
  }
  for (const order of orders) {
    const amount = uncollectedOf(order)
    if (amount !== 0) of(order.driverId).notCollected += amount
  }
  return [...all.values()]
}

/**
 * Delivered = with drivers + handed over + in the office + other means + on account + paid back + not collected +
 * unexplained: what was paid back beside orders is missing of the money that was collected. What was
 * paid on other days for the day's orders is not collected on it; payments for orders of other days count against that.
 */
export function equationOf(orders: readonly OrderMoney[], held: readonly HeldMoney[]) {
  const delivered = sum(orders.map(({ sold }) => sold))
  const explained = sum(orders.map((order) => order.sold - order.today - unexplainedOf(order)))
  const rest = sum(orders.map(uncollectedOf))
  const amountOf = (is: (one: HeldMoney) => boolean) => sum(held.filter(is).map(({ amount }) => amount))
  const isCash = ({ means, isHandover }: HeldMoney) => means === 'cash' && !isHandover
  const handedOver = amountOf(({ isHandover }) => isHandover)
  const withDrivers = amountOf((one) => isCash(one) && one.holder === 'driver') - handedOver
  const paidBack = 0 - amountOf(({ isRefund }) => isRefund ?? false)
  const inOfficeBy = byPerson(held.filter((one) => isCash(one) && one.holder === 'office'))
  const inOffice = sum(inOfficeBy.map(({ amount }) => amount))
  const otherMeans = new Map<PaymentMeans, number>()
  for (const { means, amount } of held)
    if (means !== 'cash' && means !== 'account') otherMeans.set(means, (otherMeans.get(means) ?? 0) + amount)
  const onAccount = amountOf(({ means }) => means === 'account')
  const unexplainedOrders = orders.flatMap((order) => {
    const amount = unexplainedOf(order)
    return amount === 0 ? [] : [{ id: order.id, amount }]
  })
  const terms = [withDrivers, handedOver, inOffice, ...otherMeans.values(), onAccount, paidBack, explained]
  return {
    delivered,
    orders: sum(orders.map(({ deliveries }) => deliveries)),
    withDrivers,
    handedOver,
    inOffice,
    inOfficeBy,
    otherMeans,
    onAccount,
    paidBack,
    notCollected: explained,
    otherDays: explained - rest,
    unexplained: delivered - sum(terms),
    withoutEntry: sum(unexplainedOrders.map(({ amount }) => Math.max(0, amount))),
    paidBeyond: sum(unexplainedOrders.map(({ amount }) => Math.max(0, -amount))),
    unexplainedOrders,
    byHolder: sumsByHolder(orders, held),
  }
}
