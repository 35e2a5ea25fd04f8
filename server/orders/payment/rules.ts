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
  kind: 'collected' | 'payment' | 'correction'
  /** Number of the delivery that it was reported with. */
  delivery: number
  /** The Bahrain day on which it is booked. */
  day: string
  isReversed: boolean
}

interface Reversal extends Held {
  key: string
  /** Takes back one's own mistake of the same day: no money moves. */
  isReversal?: boolean
}

const isHeldAlike = (one: Held, other: Held) =>
  one.holder === other.holder && one.holderId === other.holderId && one.means === other.means

/**
 * Entries that reverse the payments of a paid order, without what was refunded before. Payments of the office come first,
 * each with the holder who has it: a corrected mistake if `personId` recorded it `today`, else a refund. If payments of
 * drivers still cover the order then, `personId` refunds them.
 * @param entries newest first
 */
export function reversalOf(
  entries: readonly HeldEntry[],
  { total, received, personId, today }: { total: number; received: number; personId: number; today: string },
): { entries: Reversal[]; isRefund: boolean } {
  const moved: Held[] = [...entries]
  const taken: Reversal[] = []
  const leftOf = (is: (one: Held) => boolean) => moved.filter(is).reduce((sum, { amount }) => sum + amount, 0)
  const left = () => received + taken.reduce((sum, { amount }) => sum + amount, 0)
  const take = (entry: Reversal) => {
    moved.push(entry)
    taken.push(entry)
  }
  for (const { id, day, isReversed, ...held } of entries) {
    if (held.holder !== 'office' || isReversed || left() < total) continue
    const back = Math.min(
      held.amount,
      leftOf(({ means }) => means === held.means),
      leftOf((one) => isHeldAlike(one, held)),
    )
    const isReversal = held.holderId === personId && day === today
    const key = `${isReversal ? 'reversed' : 'refunded'}:${id}`
    if (back > 0) take({ ...held, amount: -back, key, isReversal })
  }
  if (left() >= total)
    for (const means of new Set(entries.map((one) => one.means))) {
      const back = Math.min(
        leftOf((one) => one.means === means),
        left(),
      )
      const key = `refunded:${entries[0]?.id}:${means}`
      if (back > 0) take({ holder: 'office', holderId: personId, means, amount: -back, key })
    }
  return { entries: taken, isRefund: taken.some(({ isReversal }) => !isReversal) }
}

/**
 * What may be one sum recorded twice: the last record of the office, and what was reported with the last delivery. The order
 * is covered without either of them, and neither was paid back in part. Whether the money was really taken twice is not known.
 * @param entries newest first
 */
export function doubleOf<Entry extends HeldEntry>(
  entries: readonly Entry[],
  { total, received }: { total: number; received: number },
): { office: Entry[]; driver: Entry[] } | null {
  const standing = entries.filter(({ amount, isReversed }) => amount > 0 && !isReversed)
  const recorded = standing.find(({ kind }) => kind === 'payment')
  const reports = standing.filter(({ kind }) => kind === 'collected')
  const last = Math.max(...reports.map(({ delivery }) => delivery))
  const driver = reports.filter(({ delivery }) => delivery === last)
  if (!recorded || driver.length === 0) return null
  const reported = driver.reduce((sum, { amount }) => sum + amount, 0)
  const isCovered = received - Math.min(recorded.amount, reported) >= total
  return isCovered && received >= Math.max(recorded.amount, reported) ? { office: [recorded], driver } : null
}
