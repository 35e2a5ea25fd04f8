import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earliestPromise, inDeliveryOrder, type Offering } from './delivery-order.ts'

const vendor = (id: number, promisedDate = '2026-11-23', deliveryFee = 0, minDeliveryAmount = 5): Offering => ({
  id,
  promisedDate,
  deliveryFee,
  minDeliveryAmount,
})
const ids = (vendors: readonly { id: number }[]) => vendors.map(({ id }) => id)

describe('vendors in an area', () => {
  it('are ordered by day, then fee, then minimum, then id', () => {
    const listed = [
      vendor(1, '2026-11-24'),
      vendor(2, '2026-11-23', 0.5),
      vendor(3, '2026-11-23', 0, 6),
      vendor(5, '2026-11-23', 0, 5),
      vendor(4, '2026-11-23', 0, 5),
    ]
    expect(ids(inDeliveryOrder(listed, () => true))).toEqual([4, 5, 3, 2, 1])
  })

  it('come last, in their own order, if they do not deliver there, however early their day is', () => {
    const listed = [vendor(1, '2026-11-22'), vendor(2, '2026-11-25', 1), vendor(3, '2026-11-21')]
    const ordered = inDeliveryOrder(listed, ({ id }) => id === 2)
    expect(ordered.map(({ id, delivers }) => [id, delivers])).toEqual([
      [2, true],
      [1, false],
      [3, false],
    ])
  })

  it('are the same vendors in the same order, however they are listed', () => {
    const offering = fc.record({
      id: fc.integer({ min: 1, max: 50 }),
      promisedDate: fc.constantFrom('2026-11-23', '2026-11-24', '2026-12-01'),
      deliveryFee: fc.constantFrom(0, 0.5, 1),
      minDeliveryAmount: fc.constantFrom(0, 3, 5),
    })
    const some = fc.uniqueArray(offering, { selector: ({ id }) => id, maxLength: 12 })
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.boolean()), (vendors, coin) => {
        const turned = [...vendors]
        for (let i = turned.length - 1; i > 0; i -= 1) if (coin.next().value) turned.push(...turned.splice(i, 1))
        expect(inDeliveryOrder(turned, () => true)).toEqual(inDeliveryOrder(vendors, () => true))
      }),
    )
  })
})

describe('the promise in an area', () => {
  it('is the earliest day with the vendors that keep it', () => {
    const vendors = [vendor(1, '2026-11-24'), vendor(2), vendor(3)]
    expect(earliestPromise(vendors)).toMatchObject({ slot: { date: '2026-11-23' }, vendors: [{ id: 2 }, { id: 3 }] })
  })

  it('is null without vendors', () => {
    expect(earliestPromise([])).toBeNull()
  })
})
