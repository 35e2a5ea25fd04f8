/** Pure rules of the ledger of money. */

import type { CashKind, CashSums } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/lib/money'

export interface CashLine {
  kind: CashKind
  amount: number
  /** Part of `amount` that the order cost, in fils; the rest is a surplus. */
  due: number
  happenedAt: Date
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
const bhd = (amount: number) => toBhd(amount as Fils) // sums of fils

/**
 * Sums of a day's cash, with the shortage of all days in fils. A driver owes only what they collected. Cash handed over, and cash counted but not handed over
 * since, is compared with the amount collected up to that time.
 */
export function cashOf(lines: readonly CashLine[], shortage = 0): CashSums {
  const inOrder = [...lines].sort((a, b) => a.happenedAt.getTime() - b.happenedAt.getTime())
  const of = (...kinds: CashKind[]) => inOrder.filter(({ kind }) => kinds.includes(kind))
  const amounts = (found: readonly CashLine[]) => sum(found.map(({ amount }) => amount))
  const collected = amounts(of('collected', 'refunded', 'correction'))
  const handedOver = amounts(of('handed-over'))
  const count = of('counted').at(-1)
  const settled = of('counted', 'handed-over').at(-1)
  const expected = sum(lines.map(({ due }) => due))
  return {
    expected: bhd(expected),
    collected: bhd(collected),
    counted: count ? bhd(count.amount) : null,
    handedOver: bhd(handedOver),
    inHand: bhd(collected - handedOver),
    difference: settled ? bhd(handedOver + leftInBag() - expectedBy(settled.happenedAt)) : null,
    writtenOff: bhd(amounts(of('written-off'))),
    shortage: bhd(shortage),
  }

  function leftInBag() {
    if (!count) return 0
    const since = inOrder.slice(inOrder.indexOf(count) + 1).filter(({ kind }) => kind === 'handed-over')
    return Math.max(0, count.amount - amounts(since))
  }

  function expectedBy(moment: Date) {
    return sum(inOrder.filter(({ happenedAt }) => happenedAt <= moment).map(({ due }) => due))
  }
}

/** What prevents the closing of a day. */
interface Missing {
  begun: boolean
  openOrders: number
  cash: readonly unknown[]
}
export const canClose = ({ begun, openOrders, cash }: Missing): boolean =>
  begun && openOrders === 0 && cash.length === 0

/** Key of an entry of a driver: the key of the device is unique for each delivery, since a corrected report may repeat it. */
export const driverKey = (driverId: number, key: string, delivery = 1): string => `${driverId}:${delivery}:${key}`
