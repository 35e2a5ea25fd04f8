/** Pure rules of payments. */

import type { Fils } from '@qatra/contract/lib/money'
import type { PaymentMethod } from '@qatra/contract/orders/order-status'
import type { PaymentHolder, PaymentMeans } from '@qatra/contract/orders/payments'
import type { Actor } from '@qatra/contract/users/actor'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { limitedRoles } from '@qatra/contract/vendors/business'
import type { Business } from '../../vendors/queries.ts'

/** Money may be paid back, and a payment that was really taken be taken back. */
export const canRefund = ({ user }: Pick<Actor, 'user'>): boolean =>
  isAuthorized({ allow: 'admin', permissions: ['orders.refund'] }, user)

/** Fils that the actor may pay back in a day; undefined: no limit. */
export const limitOf = ({ user }: Pick<Actor, 'user'>, { limits }: Pick<Business, 'limits'>): Fils | undefined => {
  const role = limitedRoles.find((one) => one === user?.role)
  return role && limits[role]
}

/** Means of an order that the office calls paid without naming one. */
export const meansOf: Readonly<Record<PaymentMethod, PaymentMeans>> = {
  cash: 'cash',
  card: 'card',
  online: 'benefitpay',
  bank_transfer: 'transfer',
}

/** Keys of payments by their author, so that one person's repeated request is written once. */
export const officeKey = (personId: number, key: string) => `office:${personId}:${key}`

/** Money for an order with one holder, by one means. */
export interface Held {
  holder: PaymentHolder
  holderId: number | null
  means: PaymentMeans
  amount: number
}

/** An entry of an order. */
export interface HeldEntry extends Held {
  id: number
  isReversed: boolean
}

/**
 * Entries that take back what made an order paid. What the office recorded last was a mistake and ends where it stands. If
 * the order is still covered then, the money was really taken at the door, and `personId` of the office pays it back.
 * @param entries newest first
 */
export function reversalOf(
  entries: readonly HeldEntry[],
  { total, received, personId }: { total: number; received: number; personId: number },
): { entries: (Held & { key: string; isReversal?: boolean })[]; isRefund: boolean } {
  let left = received
  const mistakes = entries.filter(({ holder, amount, isReversed }) => {
    const isMistake = holder === 'office' && amount > 0 && !isReversed && left >= total
    if (isMistake) left -= amount
    return isMistake
  })
  const taken = new Map<PaymentMeans, number>()
  if (left >= total)
    for (const { holder, means, amount } of entries)
      if (holder === 'driver') taken.set(means, (taken.get(means) ?? 0) + amount)
  const refunds = [...taken].filter(([, amount]) => amount > 0)
  return {
    isRefund: refunds.length > 0,
    entries: [
      ...mistakes.map(({ id, isReversed: _, amount, ...held }) => ({
        ...held,
        amount: -amount,
        key: `reversed:${id}`,
        isReversal: true,
      })),
      ...refunds.map(([means, amount]) => ({
        holder: 'office' as const,
        holderId: personId,
        means,
        amount: -amount,
        key: `refunded:${entries[0]?.id}:${means}`,
      })),
    ],
  }
}
