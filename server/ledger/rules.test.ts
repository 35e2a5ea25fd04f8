import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CashLine, cashOf } from './rules.ts'

describe('the sums of cash', () => {
  const at = (minute: number, kind: CashLine['kind'], amount: number, due = kind === 'collected' ? amount : 0) => ({
    kind,
    amount,
    due,
    happenedAt: new Date(minute * 60_000),
  })
  it.each<[string, CashLine[], object]>([
    ['a surplus is collected, not expected', [at(1, 'collected', 5000, 2150)], { expected: 2.15, collected: 5 }],
    [
      'a correction changes what was collected',
      [at(1, 'collected', 2000), at(2, 'correction', -500)],
      { collected: 1.5, expected: 2, inHand: 1.5 },
    ],
    [
      'the last count applies',
      [at(1, 'collected', 2000), at(2, 'counted', 1500), at(3, 'counted', 1800)],
      { counted: 1.8, difference: -0.2 },
    ],
    [
      'a handover after the count is taken out of the bag',
      [at(1, 'collected', 2000), at(2, 'counted', 2000), at(3, 'handed-over', 1500)],
      { difference: 0, inHand: 0.5 },
    ],
    [
      'a handover before the count adds to it',
      [at(1, 'collected', 2000), at(2, 'handed-over', 1500), at(3, 'counted', 400)],
      { difference: -0.1, inHand: 0.5 },
    ],
    [
      'more handed over than counted leaves nothing in the bag',
      [at(1, 'collected', 2000), at(2, 'counted', 1000), at(3, 'handed-over', 2000)],
      { difference: 0, inHand: 0 },
    ],
    [
      'cash collected after the last settlement is no shortage',
      [at(1, 'collected', 2000), at(2, 'handed-over', 2000), at(3, 'collected', 700)],
      { difference: 0, inHand: 0.7 },
    ],
    [
      'cash collected in the minute of the settlement is part of it',
      [at(1, 'collected', 2000), at(2, 'collected', 700), at(2, 'handed-over', 2000)],
      { difference: -0.7 },
    ],
    [
      'a write-off changes nothing but itself',
      [at(1, 'collected', 2000), at(2, 'handed-over', 1900), at(3, 'written-off', 100)],
      { collected: 2, difference: -0.1, inHand: 0.1, writtenOff: 0.1 },
    ],
  ])('%s', (_, lines, sums) => expect(cashOf(lines)).toMatchObject(sums))

  const line = fc
    .record({
      kind: fc.constantFrom('collected' as const, 'counted' as const, 'handed-over' as const),
      amount: fc.nat(50_000),
      happenedAt: fc.nat(1_000_000).map((ms) => new Date(ms)),
    })
    .map((one): CashLine => ({ ...one, due: one.kind === 'collected' ? one.amount : 0 }))
  it('do not depend on the order of the lines', () => {
    fc.assert(
      fc.property(fc.uniqueArray(line, { selector: ({ happenedAt }) => happenedAt.getTime() }), (lines) => {
        expect(cashOf(lines)).toEqual(cashOf(lines.toReversed()))
      }),
    )
  })
  it('have no difference when all collected cash is handed over', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50_000), { minLength: 1 }), (dues) => {
        const at = new Date(1)
        const lines = dues.map((due): CashLine => ({ kind: 'collected', amount: due, due, happenedAt: at }))
        const all = dues.reduce((sum, due) => sum + due, 0)
        const handed: CashLine = { kind: 'handed-over', amount: all, due: 0, happenedAt: new Date(2) }
        expect(cashOf([...lines, handed])).toMatchObject({ difference: 0, inHand: 0, expected: all / 1000 })
      }),
    )
  })
})
