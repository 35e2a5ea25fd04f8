import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../lib/errors.ts'
import { hasExactly, planAdoption, requireAddable, requireItem, requireSwap } from './rules.ts'

const line = (productId: number, quantity: number) => ({ id: productId + 1000, productId, quantity, empties: null })
const errorOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    const { code, details } = error as AppError
    return [code, details]
  }
  return null
}

describe('a swapped cart', () => {
  const offer = (id: number, vendorId = 2, isAvailable = true) => ({ id, vendorId, isAvailable })
  const items = [
    { productId: 7, quantity: 3 },
    { productId: 8, quantity: 1 },
  ]

  it('has the quantities of the products and their vendor', () => {
    expect(requireSwap(items, [offer(7), offer(8)])).toEqual({
      vendorId: 2,
      quantities: new Map([
        [7, 3],
        [8, 1],
      ]),
    })
  })

  it('is refused if a product is missing, not available or of another vendor', () => {
    expect(errorOf(() => requireSwap(items, [offer(7)]))?.[0]).toBe('PRODUCT_NOT_FOUND')
    expect(errorOf(() => requireSwap(items, [offer(7), offer(8, 2, false)]))?.[0]).toBe('PRODUCT_NOT_FOUND')
    expect(errorOf(() => requireSwap(items, []))?.[0]).toBe('PRODUCT_NOT_FOUND')
    expect(errorOf(() => requireSwap(items, [offer(7), offer(8, 3)]))?.[0]).toBe('VENDOR_MISMATCH')
  })
})

describe('adding to a cart', () => {
  const cart = { vendorId: 1, items: [line(7, 60), line(8, 1)], offeredBy: 1 }

  it('adds to the present quantity and takes the vendor of the product', () => {
    expect(requireAddable(cart, { productId: 7, quantity: 40 })).toEqual({ vendorId: 1, quantity: 100 })
    expect(requireAddable(cart, { productId: 9, quantity: 2, vendorId: 1 })).toEqual({ vendorId: 1, quantity: 2 })
    const empty = { vendorId: null, items: [], offeredBy: 5 }
    expect(requireAddable(empty, { productId: 9, quantity: 3 })).toEqual({ vendorId: 5, quantity: 3 })
  })

  it.each([
    ['PRODUCT_NOT_FOUND', {}, { offeredBy: null }, { vendorId: 2 }],
    ['VENDOR_MISMATCH', {}, { offeredBy: 2 }, { vendorId: 1 }],
    ['CART_VENDOR_CONFLICT', { vendorId: 1 }, { offeredBy: 2 }, { quantity: 100 }],
    ['QUANTITY_LIMIT', { vendorId: 1 }, {}, { quantity: 41 }],
  ])('throws %s with %j, before the errors of later checks', (code, details, ofCart, ofAddition) => {
    const adding = () => requireAddable({ ...cart, ...ofCart }, { productId: 7, quantity: 1, ...ofAddition })
    expect(errorOf(adding)).toEqual([code, details])
  })

  it('never returns more than 100 of a product or a second vendor, for every sequence of additions', () => {
    const addition = fc.record({
      productId: fc.integer({ min: 1, max: 4 }),
      quantity: fc.integer({ min: 1, max: 100 }),
    })
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 30 }), (additions) => {
        const sums = new Map<number, number>()
        let vendorId: number | null = null
        for (const wanted of additions) {
          const offeredBy = wanted.productId % 2
          const items = [...sums].map(([productId, quantity]) => line(productId, quantity))
          const before = sums.get(wanted.productId) ?? 0
          const fits = (vendorId === null || vendorId === offeredBy) && before + wanted.quantity <= 100
          const state = { vendorId, items, offeredBy }
          const error = errorOf(() => {
            const after = requireAddable(state, wanted)
            vendorId = after.vendorId
            sums.set(wanted.productId, after.quantity)
          })
          expect(error === null).toBe(fits)
          expect(sums.get(wanted.productId) ?? 0).toBe(fits ? before + wanted.quantity : before)
        }
        expect(new Set([...sums.keys()].map((productId) => productId % 2)).size).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('items of a cart', () => {
  it('are found by id or refused', () => {
    expect(requireItem([line(7, 2)], 1007)).toEqual(line(7, 2))
    expect(errorOf(() => requireItem([line(7, 2)], 7))).toEqual(['CART_ITEM_NOT_FOUND', {}])
  })

  it('equal wanted quantities only with the same products, quantities and number of lines', () => {
    const items = [line(7, 2), line(8, 1)]
    const wanted = [
      [7, 2],
      [8, 1],
    ] as const
    expect(hasExactly(items, new Map(wanted))).toBe(true)
    expect(hasExactly([...items].reverse(), new Map(wanted))).toBe(true)
    expect(hasExactly(items, new Map([...wanted, [9, 1]]))).toBe(false)
    expect(hasExactly(items, new Map([[7, 2]]))).toBe(false)
    expect(
      hasExactly(
        items,
        new Map([
          [7, 2],
          [8, 2],
        ]),
      ),
    ).toBe(false)
  })
})

describe('adopting carts at sign-in', () => {
  const early = new Date(1000)
  const late = new Date(2000)
  const none = { vendorId: null, items: [], parkedAt: null }
  const filled = (vendorId: number, parkedAt: Date | null = null) => ({ vendorId, items: [line(7, 1)], parkedAt })

  it.each([
    ['keeps the active cart beside an empty one', none, filled(1), 'keep', false],
    ['merges into no cart', filled(1), none, 'merge', false],
    ['merges into a cart of the same vendor', filled(1), filled(1), 'merge', false],
    ['replaces a cart of another vendor', filled(1), filled(2), 'replace', false],
    ['takes the parked cart', filled(1, early), filled(1), 'merge', true],
    ['takes the newer parked cart', { ...none, parkedAt: late }, filled(1, early), 'keep', true],
    ['leaves the older parked cart', { ...none, parkedAt: early }, filled(1, late), 'keep', false],
    ['leaves the parked cart if the active one was just parked', filled(1, late), filled(2, early), 'replace', false],
  ])('%s', (_, guest, own, active, takesParked) => {
    expect(planAdoption(guest, own)).toEqual({ active, takesParked })
  })
})
