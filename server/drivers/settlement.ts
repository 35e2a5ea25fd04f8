import type { CashHolder } from '@qatra/contract/delivery'
import type { Fils } from '@qatra/contract/money'
import { type PaymentMethod, type PaymentStatus, paymentStatusOf } from '@qatra/contract/order-status'

interface Bill {
  total: number
  paymentMethod: PaymentMethod
  paymentStatus: PaymentStatus | null
}

interface Reported {
  /** Fils collected, as reported by the driver. */
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
 * Decides what a delivery changes in the driver's cash and the order's payment. A delivery by the driver collects the
 * amount due unless the report differs. A delivery by the office books only cash that is reported as collected.
 */
export function settle(
  bill: Bill,
  { taken, cashHeldBy, paymentStatus: reported }: Reported,
  isOwnDelivery: boolean,
): Settlement {
  const before = paymentStatusOf(bill.paymentStatus)
  const total = bill.total as Fils // money columns hold fils
  const isDue = isCashDue(bill)
  const holder = cashHeldBy ?? (isOwnDelivery && (reported === undefined || reported === 'paid') ? 'driver' : 'nobody')
  const collected = taken ?? ((isDue && holder === 'driver' ? total : 0) as Fils)
  // A driver's claim that cash was paid counts as collected cash, not as a change of the payment status.
  const isClaim = isOwnDelivery && isDue && reported === 'paid'
  return { collected, paymentStatus: (isClaim ? undefined : reported) ?? paymentAfter() }

  function paymentAfter(): PaymentStatus {
    if (!isDue) return before
    if (taken !== undefined) return taken < total ? 'unpaid' : 'paid'
    return holder === 'nobody' ? before : 'paid'
  }
}
