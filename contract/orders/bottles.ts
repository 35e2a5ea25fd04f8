/** Bottles at the door: what is counted there, and what follows for the order and the customer's balance. */

import * as z from 'zod/mini'
import { rowIdNumber } from '../lib/ids.ts'
import { addFils, type Fils, fils, timesFils, zeroFils } from '../lib/money.ts'
import { type PaymentStatus, paymentStatusOf } from './order-status.ts'

/** Empty bottles of one type that come back at one door. */
export const mostReturned = 1000
const pieces = z.int('validation.number').check(z.gte(0, 'validation.number'), z.lte(mostReturned, 'validation.number'))

/** Those that are broken or of another company give nothing back, and are not among the returned. */
export const bottleCount = /* @__PURE__ */ z.object({
  typeId: rowIdNumber,
  returned: pieces,
  broken: /* @__PURE__ */ z.optional(pieces),
  foreign: /* @__PURE__ */ z.optional(pieces),
})
export type BottleCount = z.output<typeof bottleCount>

/** A type of bottles whose empties are counted at a door. */
export const doorBottle = /* @__PURE__ */ z.object({
  typeId: /* @__PURE__ */ z.number(),
  name: /* @__PURE__ */ z.string(),
  nameAr: /* @__PURE__ */ z.nullable(/* @__PURE__ */ z.string()),
  /** BHD, for one. */
  deposit: /* @__PURE__ */ z.number(),
  /** Those of the customer by the books; negative if more came back. */
  held: /* @__PURE__ */ z.number(),
  /** BHD of deposits that were paid for them and not given back. */
  depositHeld: /* @__PURE__ */ z.number(),
})

export interface BottleLine {
  quantity: number
  /** Null or absent, as the deposit, for goods without a bottle that comes back. */
  bottleTypeId?: number | null
  bottleDeposit?: Fils | null
  empties?: number | null
}

const isNone = (value: number | null | undefined): value is null | undefined => value === null || value === undefined

/** Whether a difference of empties changes what is due; else the customer's balance has it. */
export const changesOrder = (
  difference: 'at-once' | 'owed',
  { paymentStatus }: { paymentStatus: PaymentStatus | null },
): boolean => difference === 'at-once' && paymentStatusOf(paymentStatus) !== 'paid'

/**
 * The empties of each line that lower its deposit: those that were expected, at most one for each bottle handed over; of a
 * counted type no more than came back, and what came back beyond them for the lines after each other.
 */
export function emptiesOf(lines: readonly BottleLine[], counts: readonly BottleCount[]): (number | null)[] {
  const left = new Map(counts.map(({ typeId, returned }) => [typeId, returned]))
  const take = (typeId: number, most: number) => {
    const counted = left.get(typeId)
    const own = Math.min(most, counted ?? most)
    if (counted !== undefined) left.set(typeId, counted - own)
    return own
  }
  const expected = lines.map(({ quantity, bottleTypeId, bottleDeposit, empties }) =>
    isNone(bottleTypeId) || isNone(bottleDeposit) ? null : take(bottleTypeId, Math.min(quantity, empties ?? 0)),
  )
  return lines.map(({ quantity, bottleTypeId }, i) => {
    const own = expected[i] ?? null
    return own === null || isNone(bottleTypeId) || !left.has(bottleTypeId)
      ? own
      : own + take(bottleTypeId, quantity - own)
  })
}

export interface BottleSum {
  typeId: number
  delivered: number
  returned: number
  /** Empties that lower the deposit of the order. */
  counted: number
  /** Fils of deposit. */
  charged: Fils
}

/** What a delivery moves of each type, lowest first. @param lines with the empties that the order counts */
export function bottleSums(lines: readonly BottleLine[], counts: readonly BottleCount[]): BottleSum[] {
  const own = lines.flatMap(({ bottleTypeId: typeId, bottleDeposit: deposit, quantity, empties }) =>
    isNone(typeId) || isNone(deposit) ? [] : [{ typeId, deposit, quantity, empties: empties ?? 0 }],
  )
  const typeIds = new Set([...own, ...counts].map(({ typeId }) => typeId))
  return [...typeIds]
    .sort((a, b) => a - b)
    .map((typeId) => {
      const ofType = own.filter((line) => line.typeId === typeId)
      const expected = ofType.reduce((sum, { empties }) => sum + empties, 0)
      return {
        typeId,
        delivered: ofType.reduce((sum, { quantity }) => sum + quantity, 0),
        returned: counts.find((count) => count.typeId === typeId)?.returned ?? expected,
        counted: expected,
        charged: addFils(zeroFils, ...ofType.map((line) => timesFils(line.deposit, line.quantity - line.empties))),
      }
    })
}

/** Whether what the customer gets back for more empties than expected is paid out, or kept for the next deposits. */
export const refundChoices = ['now', 'credit'] as const
export type RefundChoice = (typeof refundChoices)[number]

/** What a customer has of one type before the stop. */
export interface BottleAccount {
  deposit: Fils
  held: number
  /** Deposits that were paid and not given back. */
  depositHeld: Fils
}

/** The deposits of all empties beyond those that lower the deposit of an order. */
export const refundLimitOf = ({ returned, counted }: BottleSum, deposit: Fils): Fils =>
  timesFils(deposit, Math.max(0, returned - counted))

/** What can be paid back of it: as far as deposits are held for bottles that the customer no longer has. */
export function refundOf(sum: BottleSum, { deposit, held, depositHeld }: BottleAccount): Fils {
  const left = timesFils(deposit, Math.max(0, held + sum.delivered - sum.returned))
  return fils(Math.max(0, Math.min(refundLimitOf(sum, deposit), depositHeld + sum.charged - left)))
}

/** The counts that change the order: with `credit` the customer's balance has what came back beyond the expected. */
export function countsOfOrder(
  lines: readonly BottleLine[],
  counts: readonly BottleCount[],
  refund: RefundChoice | undefined,
): readonly BottleCount[] {
  if (refund !== 'credit') return counts
  const expected = new Map(bottleSums(countedAs(lines, []), []).map(({ typeId, returned }) => [typeId, returned]))
  return counts.map((count) => ({ ...count, returned: Math.min(count.returned, expected.get(count.typeId) ?? 0) }))
}

/** Lines with the empties that count for each. */
export function countedAs<Line extends BottleLine>(lines: readonly Line[], counts: readonly BottleCount[]) {
  const empties = emptiesOf(lines, counts)
  return lines.map((line, i) => ({ ...line, empties: empties[i] ?? null }))
}

/** Divides what was paid back among types, each up to its limit; what is beyond all limits is of the first. */
export function splitRefund(
  paid: Fils,
  limits: readonly { typeId: number; limit: Fils }[],
): { typeId: number; amount: Fils }[] {
  const [first] = limits
  if (!first) return []
  let left = paid
  const parts = limits.map(({ typeId, limit }) => {
    const amount = fils(Math.min(left, limit))
    left = fils(left - amount)
    return { typeId, amount }
  })
  return parts
    .map((part, i) => (i === 0 ? { ...part, amount: addFils(part.amount, left) } : part))
    .filter(({ amount }) => amount > 0)
}
