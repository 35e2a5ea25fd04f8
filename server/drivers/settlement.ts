import type { CashHolder } from '@qatra/contract/delivery'
import type { Fils } from '@qatra/contract/money'
import { type PaymentMethod, type PaymentStatus, paymentStatusOf } from '@qatra/contract/order-status'

interface Bill {
  total: number
  paymentMethod: PaymentMethod
  paymentStatus: PaymentStatus | null
}

interface Told {
  /** Fils that the driver says he took. */
  taken?: Fils | undefined
  cashHeldBy?: CashHolder | undefined
  paymentStatus?: PaymentStatus | undefined
}

export interface Settlement {
  /** Fils to book as collected by the order's driver; 0 books nothing. */
  collected: Fils
  paymentStatus: PaymentStatus
}

export const isCashDue = ({ paymentMethod, paymentStatus }: Pick<Bill, 'paymentMethod' | 'paymentStatus'>): boolean =>
  paymentMethod === 'cash' && paymentStatusOf(paymentStatus) !== 'paid'

/**
 * What a delivery does to the driver's cash and to the order's payment: the only place that decides it. A driver's own
 * delivery collects what is due unless he says otherwise; the office's books nothing that it does not say was collected.
 */
export function settle(
  bill: Bill,
  { taken, cashHeldBy, paymentStatus: said }: Told,
  isOwnDelivery: boolean,
): Settlement {
  const before = paymentStatusOf(bill.paymentStatus)
  const total = bill.total as Fils // money columns hold fils
  const isDue = isCashDue(bill)
  const holder = cashHeldBy ?? (isOwnDelivery && (said === undefined || said === 'paid') ? 'driver' : 'nobody')
  const collected = taken ?? ((isDue && holder === 'driver' ? total : 0) as Fils)
  // A driver's word that cash is paid is what he answers for, and nothing besides.
  const isClaim = isOwnDelivery && isDue && said === 'paid'
  return { collected, paymentStatus: (isClaim ? undefined : said) ?? paymentAfter() }

  function paymentAfter(): PaymentStatus {
    if (!isDue) return before
    if (taken !== undefined) return taken < total ? 'unpaid' : 'paid'
    return holder === 'nobody' ? before : 'paid'
  }
}
