import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fils, fromBhd, zeroFils } from '../lib/money.ts'
import { orderTotals, sumsOf, viewOf } from './totals.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const price = fc.integer({ min: 1, max: 10_000_000 }).map(fils)
const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
const line = fc.record({ price, quantity: fc.integer({ min: 1, max: 100 }), vatPercentage: percentage })

/** Half up in exact integers: floor(x / 10000 + 1/2). */
function exactVat(amount: bigint, vatPercentage: number): bigint {
  const hundredths = BigInt(vatPercentage.toFixed(2).replace('.', ''))
  return (2n * amount * hundredths + 10_000n) / 20_000n
}

describe('totals of a cart or order', () => {
  it('are zero for an empty cart, including the fee', () => {
    expect(orderTotals([], { deliveryFee: fils(1000) })).toEqual({
      subtotal: 0,
      deliveryFee: 0,
      productVAT: 0,
      deposit: 0,
      total: 0,
    })
  })

  it('round each line, not the sum', () => {
    const half = { price: fils(5), quantity: 1, vatPercentage: 10 }
    expect(orderTotals([half, half], { deliveryFee: zeroFils }).productVAT).toBe(2)
  })

  it('equal the exact sum of the lines in any order', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), price, fc.nat(), (lines, fee, turn) => {
        const totals = orderTotals(lines, { deliveryFee: fee })
        const subtotal = lines.reduce((sum, l) => sum + BigInt(l.price) * BigInt(l.quantity), 0n)
        const vat = lines.reduce((sum, l) => sum + exactVat(BigInt(l.price) * BigInt(l.quantity), l.vatPercentage), 0n)
        expect(BigInt(totals.subtotal)).toBe(subtotal)
        expect(BigInt(totals.productVAT)).toBe(vat)
        expect(BigInt(totals.total)).toBe(subtotal + vat + BigInt(fee))
        const at = turn % lines.length
        expect(orderTotals([...lines.slice(at), ...lines.slice(0, at)].reverse(), { deliveryFee: fee })).toEqual(totals)
      }),
      runs,
    )
  })

  it('have a deposit without VAT for each bottle that no empty one is given for', () => {
    const gallons = { price: fils(800), quantity: 4, vatPercentage: 10, bottleDeposit: fils(2000) }
    const depositOf = (empties: number | null) =>
      orderTotals([{ ...gallons, empties }], { deliveryFee: zeroFils }).deposit
    expect([depositOf(null), depositOf(0), depositOf(3), depositOf(4), depositOf(9)]).toEqual([8000, 8000, 2000, 0, 0])
    expect(orderTotals([{ ...gallons, empties: 3 }], { deliveryFee: fils(500) })).toMatchObject({
      productVAT: 320,
      total: 3200 + 320 + 500 + 2000,
    })
  })

  it('cover the largest possible order', () => {
    const most = { price: fromBhd(10_000), quantity: 100, vatPercentage: 100 }
    expect(orderTotals(Array(100).fill(most), { deliveryFee: fromBhd(10_000) }).total).toBe(200_010_000_000)
  })
})

describe('the fields of the totals', () => {
  it('hold the amount of each part, the VAT of all parts, and the sum of everything', () => {
    const totals = viewOf([
      { kind: 'subtotal', amount: fils(1000), vat: fils(100) },
      { kind: 'deliveryFee', amount: fils(500), vat: fils(50) },
      { kind: 'deposit', amount: fils(2000) },
    ])
    expect(totals).toEqual({ subtotal: 1000, deliveryFee: 500, productVAT: 150, deposit: 2000, total: 3650 })
    expect(sumsOf(totals).reduce((sum, { amount }) => sum + amount, 0)).toBe(totals.total)
  })
})
