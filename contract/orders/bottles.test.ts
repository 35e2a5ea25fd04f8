import { describe, expect, it } from 'vitest'
import { fils } from '../lib/money.ts'
import { type BottleLine, bottleCount, bottleSums, changesOrder, emptiesOf } from './bottles.ts'

const line = (quantity: number, empties: number | null, bottleTypeId = 1): BottleLine => {
  return { quantity, empties, bottleTypeId, bottleDeposit: fils(2000) }
}
const carton: BottleLine = { quantity: 3, bottleTypeId: null, bottleDeposit: null, empties: null }

describe('empties that came back', () => {
  it('count as expected where nobody counted, at most one for each bottle handed over', () => {
    expect(emptiesOf([line(4, 4), carton, line(2, 3), line(5, null)], [])).toEqual([4, null, 2, 0])
  })

  it('count for the lines of their type that expect them, then for the others', () => {
    const lines = [line(4, 4), carton, line(2, 2, 7), line(3, 0)]
    expect(emptiesOf(lines, [{ typeId: 1, returned: 6 }])).toEqual([4, null, 2, 2])
    expect(emptiesOf(lines, [{ typeId: 1, returned: 2 }])).toEqual([2, null, 2, 0])
    expect(emptiesOf([line(4, 1), line(3, 3)], [{ typeId: 1, returned: 4 }])).toEqual([1, 3])
    expect(emptiesOf([line(4, 1), line(3, 2)], [{ typeId: 1, returned: 4 }])).toEqual([2, 2])
    expect(emptiesOf(lines, [{ typeId: 1, returned: 60 }])).toEqual([4, null, 2, 3])
  })

  it('move the balance by all that came back, and charge a deposit for each bottle without one', () => {
    const lines = [line(4, 3), carton, line(2, 2, 7)]
    expect(bottleSums(lines, [])).toEqual([
      { typeId: 1, delivered: 4, returned: 3, counted: 3, charged: 2000 },
      { typeId: 7, delivered: 2, returned: 2, counted: 2, charged: 0 },
    ])
    expect(
      bottleSums(lines, [
        { typeId: 7, returned: 9 },
        { typeId: 2, returned: 1 },
      ]),
    ).toEqual([
      { typeId: 1, delivered: 4, returned: 3, counted: 3, charged: 2000 },
      { typeId: 2, delivered: 0, returned: 1, counted: 0, charged: 0 },
      { typeId: 7, delivered: 2, returned: 9, counted: 2, charged: 0 },
    ])
    expect(bottleSums([carton], [])).toEqual([])
  })

  it('change the order only at once and while it is not paid', () => {
    const open = { paymentStatus: 'pending' as const }
    expect(changesOrder('at-once', open)).toBe(true)
    expect(changesOrder('owed', open)).toBe(false)
    expect(changesOrder('at-once', { paymentStatus: 'paid' })).toBe(false)
  })

  it.each([-1, 1.5, 1001, '3', null])('are refused as %s', (returned) => {
    expect(bottleCount.safeParse({ typeId: 1, returned }).success).toBe(false)
    expect(bottleCount.safeParse({ typeId: 1, returned: 1, broken: returned }).success).toBe(false)
  })
})
