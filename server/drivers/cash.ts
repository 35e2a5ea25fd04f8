import type { CashKind, CashSums } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/money'

export interface CashLine {
  kind: CashKind
  amount: number
  happenedAt: Date
}

export interface Delivered {
  /** Fils that should have been taken for it, and when. */
  due: number
  at: Date
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
const bhd = (amount: number) => toBhd(amount as Fils) // sums of fils

/**
 * The day's cash. What was handed over, and what was counted and not handed over since, is held against what had been
 * delivered by then: water that goes out afterwards is no shortage.
 */
export function cashOf(delivered: readonly Delivered[], lines: readonly CashLine[]): CashSums {
  const inOrder = [...lines].sort((a, b) => a.happenedAt.getTime() - b.happenedAt.getTime())
  const of = (...kinds: CashKind[]) => inOrder.filter(({ kind }) => kinds.includes(kind))
  const amounts = (found: readonly CashLine[]) => sum(found.map(({ amount }) => amount))
  const collected = amounts(of('collected', 'correction'))
  const handedOver = amounts(of('handed-over'))
  const count = of('counted').at(-1)
  const settled = of('counted', 'handed-over').at(-1)
  const expected = sum(delivered.map(({ due }) => due))
  return {
    expected: bhd(expected),
    collected: bhd(collected),
    counted: count ? bhd(count.amount) : null,
    handedOver: bhd(handedOver),
    inHand: bhd(collected - handedOver),
    difference: settled ? bhd(handedOver + leftInBag() - expectedBy(settled.happenedAt)) : null,
  }

  function leftInBag() {
    if (!count) return 0
    const since = inOrder.slice(inOrder.indexOf(count) + 1).filter(({ kind }) => kind === 'handed-over')
    return Math.max(0, count.amount - amounts(since))
  }

  function expectedBy(moment: Date) {
    return sum(delivered.filter(({ at }) => at <= moment).map(({ due }) => due))
  }
}
