import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addFils,
  averageFils,
  costByThousand,
  type Fils,
  feeBhd,
  fils,
  formatAmount,
  formatMoney,
  fromBhd,
  isWholeFils,
  minimumLeft,
  nearestFils,
  partOf,
  perLitre,
  plainAmount,
  priceBhd,
  timesFils,
  toBhd,
  vatOfLine,
} from './money.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const price = fc.integer({ min: 1, max: 10_000_000 }).map(fils)
const quantity = fc.integer({ min: 1, max: 100 })
const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)

/** Half up in exact integers: floor(x / 10000 + 1/2). */
function exactVat(amount: bigint, vatPercentage: number): bigint {
  const hundredths = BigInt(vatPercentage.toFixed(2).replace('.', ''))
  return (2n * amount * hundredths + 10_000n) / 20_000n
}

describe('the price of a litre', () => {
  it.each([
    [800, 18_927.059, 42],
    [1600, 12_000, 133],
    [1350, 7920, 170],
    [1, 2_000_000, 0],
    [5, 10_000, 1],
  ])('is for %d fils and %d ml %d fils, rounded half up', (price, volume, expected) => {
    expect(perLitre(fils(price), volume)).toBe(expected)
  })

  it.each([
    [0, 500],
    [800, 0],
    [800, Number.NaN],
  ])('is refused for %d fils and %d ml', (price, volume) => {
    expect(() => perLitre(fils(price), volume)).toThrow(RangeError)
  })

  it('is written without its unit', () => {
    expect([42, 1_234_567, -7775].map((n) => formatAmount(fils(n)))).toEqual(['0.042', '1,234.567', '-7.775'])
  })
})

describe('fils', () => {
  it('are safe integers', () => {
    expect(Object.is(fils(-0), 0)).toBe(true)
    for (const n of [0.5, Number.NaN, Infinity, 2 ** 53, 1e309]) expect(() => fils(n)).toThrow(RangeError)
  })

  it.each([
    [0.35, 350],
    [1.005, 1005],
    [8.2, 8200],
    [0.001, 1],
    [10_000, 10_000_000],
    [4.015, 4015],
    [-0.5, -500],
    [0, 0],
  ])('are converted from %d BHD', (bhd, expected) => {
    expect(fromBhd(bhd)).toBe(expected)
  })

  it.each([0.0001, 1.0005, 0.1 + 0.2, Number.NaN, Infinity, -Infinity, 1e309, 1e16])('reject %d BHD', (bhd) => {
    expect(() => fromBhd(bhd)).toThrow(RangeError)
  })

  it('are unchanged after conversion to BHD, to JSON and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4e15, max: 4e15 }), (n) => {
        const bhd = toBhd(fils(n))
        expect(fromBhd(JSON.parse(JSON.stringify(bhd)))).toBe(n + 0)
        expect(String(bhd)).toMatch(/^-?\d+(\.\d{1,3})?$/)
      }),
      runs,
    )
  })

  it('throw on overflow', () => {
    const huge = fils(Number.MAX_SAFE_INTEGER)
    expect(() => addFils(huge, fils(1))).toThrow(RangeError)
    expect(() => timesFils(huge, 2)).toThrow(RangeError)
    for (const bad of [-1, 0.5, Number.NaN, Infinity]) expect(() => timesFils(fils(1), bad)).toThrow(RangeError)
  })
})

describe('VAT of a line', () => {
  it.each([
    [1, 5, 10, 1],
    [1, 4, 10, 0],
    [5, 1, 10, 1],
    [333, 3, 10, 100],
    [1350, 1, 0, 0],
    [0, 1, 10, 0],
    [1005, 1, 10, 101],
    [50, 1, 1, 1],
    [49, 1, 1, 0],
  ])('%d fils × %d at %d %% is %d fils', (unit, count, percent, vat) => {
    expect(vatOfLine(fils(unit), count, percent)).toBe(vat)
  })

  it('rounds half up to the fils, exactly, up to the largest safe integer', () => {
    const any = fc.integer({ min: 0, max: Math.floor(Number.MAX_SAFE_INTEGER / 100) })
    fc.assert(
      fc.property(fc.oneof(price, any.map(fils)), quantity, percentage, (unit, count, percent) => {
        expect(BigInt(vatOfLine(unit, count, percent))).toBe(exactVat(BigInt(unit) * BigInt(count), percent))
      }),
      runs,
    )
  })

  it.each([-1, 100.01, 5.001, Number.NaN, Infinity, 1e309])('rejects %d as a percentage', (percent) => {
    expect(() => vatOfLine(fils(1000), 1, percent)).toThrow(RangeError)
  })

  it('rejects a negative price', () => {
    expect(() => vatOfLine(fils(-1), 1, 10)).toThrow(RangeError)
  })
})

describe('a percentage of an amount', () => {
  it.each([
    [1505, 70, 1054],
    [1, 50, 1],
    [1, 49, 0],
    [1505, 100, 1505],
    [10_000_000, 0, 0],
  ])('of %d fils, %d %%, is %d fils', (amount, percent, part) => {
    expect(partOf(fils(amount), percent)).toBe(part)
  })
})

describe('the amount missing to the minimum', () => {
  it.each<[number, number | null, number]>([
    [4999, null, 1],
    [5000, null, 0],
    [0, 0, 0],
    [2950, 5000, 2050],
    [5000, 5000, 0],
    [6000, 5000, 0],
  ])('with %d fils of %j is %d', (subtotal, minimum, left) => {
    expect(minimumLeft(fils(subtotal), minimum === null ? null : fils(minimum))).toBe(left)
  })
})

describe('formatted money', () => {
  it.each([
    [1500, 'BHD\u00a01.500', '1.500\u00a0د.ب'],
    [0, 'BHD\u00a00.000', '0.000\u00a0د.ب'],
    [5, 'BHD\u00a00.005', '0.005\u00a0د.ب'],
    [1_234_500, 'BHD\u00a01,234.500', '1,234.500\u00a0د.ب'],
    [1_000_000_001, 'BHD\u00a01,000,000.001', '1,000,000.001\u00a0د.ب'],
    [-2050, '-BHD\u00a02.050', '-2.050\u00a0د.ب'],
  ])('%d fils', (n, en, ar) => {
    expect([formatMoney(fils(n), 'en'), formatMoney(fils(n), 'ar')]).toEqual([en, ar])
  })

  it('has Western digits and no hidden marks, and parses back to the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e15 }), fc.constantFrom('ar' as const, 'en' as const), (n, lang) => {
        const shown = formatMoney(fils(n), lang)
        expect(shown).not.toMatch(/\p{Cf}/u)
        const [number = ''] = /[\d,.]+\d/.exec(shown) ?? []
        expect(Number(number.replace(/[,.]/g, ''))).toBe(n)
      }),
      runs,
    )
  })
})

describe('prices and fees in JSON', () => {
  const accepts = (schema: typeof priceBhd, value: unknown) => schema.safeParse(value).success

  it('are limited in range and to three decimals', () => {
    for (const good of [0.001, 10_000, 1.005, 0.35]) expect(accepts(priceBhd, good)).toBe(true)
    for (const bad of [0, -1, 10_000.001, 0.0005, 1.2345, 1e309, Number.NaN, '1', null, [1]]) {
      expect(accepts(priceBhd, bad)).toBe(false)
    }
    for (const good of [0, 0.5, 10_000]) expect(accepts(feeBhd, good)).toBe(true)
    for (const bad of [-0.001, 0.1 + 0.2, 10_001, Infinity, '0']) expect(accepts(feeBhd, bad)).toBe(false)
  })

  it('accept every price in fils between the limits', () => {
    fc.assert(
      fc.property(price, (f: Fils) => accepts(priceBhd, toBhd(f))),
      runs,
    )
  })
})

describe('the cost of things priced by the thousand', () => {
  it.each<[number[], number]>([
    [[499], 0],
    [[500], 1],
    [[300, 199], 0],
    [[300, 200], 1],
    [[], 0],
  ])('is rounded half up once, for the sum: %j thousandths of a fils cost %i', (prices, cost) => {
    expect(costByThousand(prices.map((price) => ({ count: 1, price: fils(price) })))).toBe(cost)
  })
})

describe('computed amounts', () => {
  it('are rounded half up to the fils', () => {
    expect(nearestFils(0.1 + 0.2)).toBe(300)
    expect(nearestFils(1.0005)).toBe(1001)
    expect(averageFils(fils(2001), 2)).toBe(1001)
    expect([isWholeFils(1.234), isWholeFils(1.2345)]).toEqual([true, false])
  })

  it('are written with three decimals and without groups for files', () => {
    expect([plainAmount(1234.5), plainAmount(0)]).toEqual(['1234.500', '0.000'])
  })
})
