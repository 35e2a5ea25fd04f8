import { type DeliverySlot, slotOn } from '@qatra/contract/calendar/slot'
import { type Fils, fils, vatOfLine } from '@qatra/contract/lib/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import {
  type CheckoutInputs,
  type Named,
  requireAvailable,
  requireBelowHourlyLimit,
  requireChosenPoint,
  requireCovered,
  requireMinimum,
  requireOfferedPayment,
  requirePlaceable,
  requireShownTotal,
  requireSlot,
} from './rules.ts'

function errorOf(work: () => unknown): [string, object] | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.details]
    throw error
  }
}
const codeOf = (work: () => unknown) => errorOf(work)?.[0] ?? null

const now = new Date('2026-03-01T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const money = fc.integer({ min: 0, max: 10_000_000 }).map((n) => fils(n))

describe('the hourly limit', () => {
  it.each([
    [null, null],
    [3600, null],
    [3601, null],
    [3599, 1],
    [3599.999, 1],
    [1800, 1800],
    [1799.5, 1801],
    [0, 3600],
  ])('with the limiting order %s seconds ago, the wait is %s seconds', (seconds, wait) => {
    const error = errorOf(() => requireBelowHourlyLimit(seconds === null ? null : before(seconds), now))
    expect(error).toEqual(wait === null ? null : ['TOO_MANY_REQUESTS', { retryAfter: wait }])
  })
})

describe('the payment method', () => {
  it.each([
    ['cash', null],
    ['card', 'PAYMENT_METHOD_NOT_OFFERED'],
    ['online', 'PAYMENT_METHOD_NOT_OFFERED'],
    ['bank_transfer', 'PAYMENT_METHOD_NOT_OFFERED'],
  ] as const)('%s: %s', (method, code) => {
    expect(codeOf(() => requireOfferedPayment(method))).toBe(code)
  })
})

describe('the point', () => {
  it('is refused at 0, 0 and accepted elsewhere', () => {
    expect(codeOf(() => requireChosenPoint({ lat: 0, lng: 0 }))).toBe('ADDRESS_REQUIRED')
    expect(codeOf(() => requireChosenPoint({ lat: 26.2371, lng: 50.5417 }))).toBeNull()
  })
})

const water = (id: number, isAvailable: boolean) => ({ id, name: `Water ${id}`, nameAr: null, isAvailable })

describe('unavailable products', () => {
  it('are refused together, by name, and no others are named', () => {
    expect(errorOf(() => requireAvailable([water(1, false), water(2, true), water(3, false)]))).toEqual([
      'PRODUCT_UNAVAILABLE',
      {
        products: [
          { id: 1, name: 'Water 1', nameAr: null },
          { id: 3, name: 'Water 3', nameAr: null },
        ],
      },
    ])
    expect(errorOf(() => requireAvailable([water(1, true)]))).toBeNull()
  })
})

describe('the minimum', () => {
  it('accepts a subtotal from the minimum on, and names the missing amount below it', () => {
    fc.assert(
      fc.property(money, money, (subtotal, minimum) => {
        const error = errorOf(() => requireMinimum(subtotal, minimum))
        if (subtotal >= minimum) expect(error).toBeNull()
        else
          expect(error).toEqual([
            'MINIMUM_NOT_MET',
            { required: minimum / 1000, subtotal: subtotal / 1000, remaining: (minimum - subtotal) / 1000 },
          ])
      }),
    )
    expect(codeOf(() => requireMinimum(fils(5000), fils(5000)))).toBeNull()
    expect(codeOf(() => requireMinimum(fils(4999), fils(5000)))).toBe('MINIMUM_NOT_MET')
  })
})

describe('the delivery day', () => {
  const days = ['2026-03-02', '2026-03-03', '2026-03-04']
  const slots: [DeliverySlot, ...DeliverySlot[]] = [slotOn('2026-03-02'), slotOn('2026-03-03'), slotOn('2026-03-04')]
  it.each([
    [{}, '2026-03-02'],
    [{ expectedDate: '2026-03-02' }, '2026-03-02'],
    [{ deliveryDate: '2026-03-04' }, '2026-03-04'],
    [{ deliveryDate: '2026-03-04', expectedDate: '2026-03-01' }, '2026-03-04'],
  ])('of %j is %s', (choice, day) => {
    expect(requireSlot(slots, choice)).toEqual(slotOn(day))
  })

  it.each([
    [{ expectedDate: '2026-03-01' }, ['DATE_CHANGED', { promisedDate: '2026-03-02', days }]],
    [{ expectedDate: '2026-03-03' }, ['DATE_CHANGED', { promisedDate: '2026-03-02', days }]],
    [{ deliveryDate: '2026-03-05' }, ['DATE_NOT_AVAILABLE', { days }]],
    [{ deliveryDate: '2026-03-01', expectedDate: '2026-03-02' }, ['DATE_NOT_AVAILABLE', { days }]],
  ])('of %j is refused: %j', (choice, error) => {
    expect(errorOf(() => requireSlot(slots, choice))).toEqual(error)
  })
})

describe('the shown total', () => {
  it.each([
    [1500, 1.5, null],
    [1499, 1.5, null],
    [1501, 1.5, 'PRICE_CHANGED'],
    // 1.001 * 1000 is 1000.9999999999999.
    [1001, 1.001, null],
    [9_999_999, undefined, null],
  ])('with a total of %s fils and %s BHD shown: %s', (total, shown, code) => {
    expect(codeOf(() => requireShownTotal(fils(total), shown))).toBe(code)
  })

  it('refuses exactly the totals above it', () => {
    fc.assert(
      fc.property(money, money, (total, shown) => {
        expect(codeOf(() => requireShownTotal(total, shown / 1000))).toBe(total > shown ? 'PRICE_CHANGED' : null)
      }),
    )
  })
})

const area = { id: 5, name: 'Seef', nameAr: 'السيف' }
const vendorOf = (id: number, isActive: boolean, areaIds: number[]) =>
  [id, { id, name: `Vendor ${id}`, nameAr: null, isActive, areaIds: new Set(areaIds) }] as const
const catalogue = {
  vendors: new Map([vendorOf(1, true, []), vendorOf(2, true, [5]), vendorOf(3, false, [5]), vendorOf(4, true, [6])]),
}
const covered = (changes: Partial<Parameters<typeof requireCovered>[1]>) => ({
  area,
  vendorId: 1,
  isServed: true,
  ...changes,
})

describe('the area', () => {
  it('is refused outside all areas, and where the vendor does not deliver, with the vendors that do', () => {
    expect(errorOf(() => requireCovered(catalogue, covered({})))).toBeNull()
    expect(codeOf(() => requireCovered(catalogue, covered({ area: null })))).toBe('OUTSIDE_SERVICE_AREA')
    expect(errorOf(() => requireCovered(catalogue, covered({ isServed: false })))).toEqual([
      'VENDOR_DOES_NOT_DELIVER',
      {
        vendor: { id: 1, name: 'Vendor 1', nameAr: null },
        area: { id: 5, name: 'Seef', nameAr: 'السيف' },
        vendors: [{ id: 2, name: 'Vendor 2', nameAr: null }],
      },
    ])
  })
})

interface Line {
  price: Fils
  quantity: number
  vatPercentage: number
}
const line: fc.Arbitrary<Line> = fc.record({
  price: fc.integer({ min: 1, max: 10_000_000 }).map((n) => fils(n)),
  quantity: fc.integer({ min: 1, max: 100 }),
  vatPercentage: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
})
/** In whole numbers of a ten-thousandth of a fils, with BigInt. */
function totalOf(lines: readonly Line[], fee: number): { subtotal: number; vat: number; total: number } {
  let [subtotal, vat] = [0n, 0n]
  for (const { price, quantity, vatPercentage } of lines) {
    const amount = BigInt(price) * BigInt(quantity)
    subtotal += amount
    vat += (amount * BigInt(Math.round(vatPercentage * 100)) + 5_000n) / 10_000n
  }
  return { subtotal: Number(subtotal), vat: Number(vat), total: Number(subtotal + vat) + fee }
}

type Vendor = NonNullable<CheckoutInputs['vendor']>
const inputsOf = (
  lines: readonly Line[],
  changes: Partial<CheckoutInputs> = {},
  vendorChanges: Partial<Vendor> = {},
): CheckoutInputs => ({
  phone: '+97336000001',
  company: { companyName: null, crNumber: null, vatNumber: null },
  cartId: 1,
  isServed: true,
  limitingOrderAt: null,
  closedDays: [],
  vendor: {
    id: 1,
    name: 'Vendor 1',
    nameAr: null,
    logoUrl: null,
    isActive: true,
    deliveryFee: fils(1000),
    minDeliveryAmount: fils(0),
    cutOff: null,
    ...vendorChanges,
  },
  lines: lines.map((one, id) => ({
    ...one,
    productId: id,
    name: `Water ${id}`,
    nameAr: null,
    size: '19 L',
    imageUrl: null,
    inventoryUnit: null,
    inventoryUnitAr: null,
    unitsPerInventoryUnit: 1,
    bottle: null,
    isActive: true,
    empties: null,
  })),
  free: {},
  ...changes,
})
type Body = Parameters<typeof requirePlaceable>[2]['body']
const place = (inputs: CheckoutInputs, body: Partial<Body> = {}, at: Named | null = area) =>
  requirePlaceable(catalogue, inputs, {
    body: { mapCoordinates: { lat: 26.2371, lng: 50.5417 }, ...body },
    area: at,
    now,
  })

describe('the terms of a cart', () => {
  it('add up to the fils: subtotal, VAT of each line rounded half up, fee once', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), money, (lines, fee) => {
        const { totals } = place(inputsOf(lines, {}, { deliveryFee: fee }))
        const { subtotal, vat, total } = totalOf(lines, fee)
        expect(totals).toEqual({ subtotal, productVAT: vat, deliveryFee: fee, deposit: 0, total })
      }),
    )
  })

  it.each([
    [1, 1, 50, 1],
    [1, 1, 49.99, 0],
    [5, 1, 10, 1],
    [4, 1, 10, 0],
    [333, 3, 10, 100],
  ])('%s fils × %s at %s %% have a VAT of %s fils', (price, quantity, vatPercentage, vat) => {
    expect(vatOfLine(fils(price), quantity, vatPercentage)).toBe(vat)
  })

  const lines = [{ price: fils(2000), quantity: 1, vatPercentage: 0 }]
  const gone = inputsOf(lines).lines?.map((one) => ({ ...one, isActive: false })) ?? []
  /** From the first check to the last; each case violates the later ones too. */
  const rules: [string, Partial<CheckoutInputs>, Partial<Vendor>, Partial<Body>, Named | null][] = [
    ['TOO_MANY_REQUESTS', { limitingOrderAt: before(10), vendor: null, lines: null }, {}, {}, null],
    ['CART_EMPTY', { vendor: null, lines: null }, {}, { paymentMethod: 'card' }, null],
    ['PAYMENT_METHOD_NOT_OFFERED', {}, {}, { paymentMethod: 'card', mapCoordinates: { lat: 0, lng: 0 } }, null],
    ['ADDRESS_REQUIRED', { lines: gone }, {}, { mapCoordinates: { lat: 0, lng: 0 } }, null],
    ['PRODUCT_UNAVAILABLE', { lines: gone }, { minDeliveryAmount: fils(2001) }, {}, null],
    ['PRODUCT_UNAVAILABLE', {}, { isActive: false, minDeliveryAmount: fils(2001) }, {}, null],
    ['MINIMUM_NOT_MET', { isServed: false }, { minDeliveryAmount: fils(2001) }, { expectedTotal: 0 }, null],
    ['OUTSIDE_SERVICE_AREA', { isServed: false }, {}, { expectedTotal: 0 }, null],
    ['VENDOR_DOES_NOT_DELIVER', { isServed: false }, {}, { expectedTotal: 0, expectedDate: '2026-01-01' }, area],
    ['DATE_CHANGED', {}, {}, { expectedTotal: 0, expectedDate: '2026-01-01' }, area],
    ['DATE_NOT_AVAILABLE', {}, {}, { expectedTotal: 0, deliveryDate: '2026-01-01' }, area],
    // Noon UTC is past this cut-off, and 2 March is closed.
    ['DATE_CHANGED', {}, { cutOff: '14:59' }, { expectedDate: '2026-03-02' }, area],
    ['DATE_NOT_AVAILABLE', { closedDays: ['2026-03-02'] }, {}, { deliveryDate: '2026-03-02' }, area],
    ['PRICE_CHANGED', {}, {}, { expectedTotal: 2.999 }, area],
  ]
  it.each(rules)('are refused with %s before later rules (%j, %j, %j)', (code, changes, vendorChanges, body, at) => {
    expect(codeOf(() => place(inputsOf(lines, changes, vendorChanges), body, at))).toBe(code)
  })

  it('are accepted with the shown total', () => {
    expect(place(inputsOf(lines), { expectedTotal: 3 }).totals.total).toBe(3000)
  })
})
