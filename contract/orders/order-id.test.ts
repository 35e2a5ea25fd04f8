import { randomInt } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatOrderId, newOrderId, orderIdAlphabet, parseOrderId } from './order-id.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }

describe('an order id', () => {
  it('has 16 characters of an alphabet without look-alikes', () => {
    expect(new Set(orderIdAlphabet).size).toBe(31)
    expect(orderIdAlphabet).not.toMatch(/[01OIL]/)
    for (let n = 0; n < 1000; n++) expect(newOrderId(randomInt)).toMatch(/^[A-HJKMNP-Z2-9]{16}$/)
  })

  it('draws each character uniformly', () => {
    const asked: number[] = []
    newOrderId((max) => asked.push(max) - 1)
    expect(asked).toEqual(Array(16).fill(31))
    // 31 symbols, 30 degrees of freedom: 0.1 per mille of honest samples lie above 73.
    const counts = new Map<string, number>()
    const sample = 5000
    for (let n = 0; n < sample; n++) for (const c of newOrderId(randomInt)) counts.set(c, (counts.get(c) ?? 0) + 1)
    const expected = (sample * 16) / 31
    const chiSquare = [...orderIdAlphabet].reduce(
      (sum, c) => sum + ((counts.get(c) ?? 0) - expected) ** 2 / expected,
      0,
    )
    expect(chiSquare).toBeLessThan(90)
  })

  it('is parsed from all displayed and typed forms', () => {
    const symbol = fc.integer({ min: 0, max: orderIdAlphabet.length - 1 })
    fc.assert(
      fc.property(fc.array(symbol, { minLength: 16, maxLength: 16 }), (symbols) => {
        const id = newOrderId(() => symbols.pop() ?? 0)
        const eastern = id.replace(/\d/g, (d) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(d)))
        expect(formatOrderId(id)).toMatch(/^\w{4} \w{4} \w{4} \w{4}$/)
        for (const typed of [
          id,
          formatOrderId(id),
          id.toLowerCase(),
          eastern,
          `\u2066${formatOrderId(id).replaceAll(' ', '-')}\u2069\n`,
        ]) {
          expect(parseOrderId(typed)).toBe(id)
        }
      }),
      runs,
    )
  })

  it('is parsed from at most 100 characters, spaces included', () => {
    const id = newOrderId((max) => max - 1)
    expect(parseOrderId(id.padStart(100))).toBe(id)
    expect(parseOrderId(id.padStart(101))).toBeNull()
  })

  it.each([
    ['9hxr 4tvc m2ke 7qwa', '9HXR4TVCM2KE7QWA'],
    ['A', 'A'],
    ['0OIL1', '0OIL1'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%j is %s', (typed, id) => {
    expect(parseOrderId(typed)).toBe(id)
  })

  it.each([
    '',
    ' ',
    '123456789012345678901',
    'A_B',
    'A/B',
    '../etc',
    'straße',
    'طلب',
    'A\u0000',
    '\ud800',
    'ı',
    null,
    undefined,
    7,
    ['A'],
    {},
    'A'.repeat(100_000),
  ])('is null for %j', (typed) => {
    expect(parseOrderId(typed)).toBeNull()
  })

  it('is empty or 1 to 20 capitals and digits for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.anything()), (typed) => {
        const id = parseOrderId(typed)
        if (id !== null) expect(id).toMatch(/^[A-Z0-9]{1,20}$/)
      }),
      runs,
    )
  })

  it('is displayed in groups of four, short ids too', () => {
    expect([formatOrderId(''), formatOrderId('ABCDE')]).toEqual(['', 'ABCD E'])
  })
})
