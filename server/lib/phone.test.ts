import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalPhone, parsePhone } from './phone.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }

/** Mobile numbers of the Gulf states: country code, prefix and length of the national number. */
const plans = [
  ['973', ['36', '33', '39', '66'], 8],
  ['966', ['50', '53', '55', '59'], 9],
  ['971', ['50', '52', '54', '58'], 9],
  ['965', ['50', '60', '66', '99'], 8],
  ['968', ['91', '92', '95', '99'], 8],
  ['974', ['33', '50', '55', '66'], 8],
] as const

const mobile = fc
  .constantFrom(...plans)
  .chain(([country, beginnings, length]) =>
    fc
      .tuple(
        fc.constantFrom(...beginnings),
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length - 2, maxLength: length - 2 }),
      )
      .map(([begin, rest]) => ({ country, national: begin + rest, phone: `+${country}${begin}${rest}` })),
  )
  // Unassigned ranges are kept as they are.
  .filter(({ phone }) => canonicalPhone(phone.replace(/^(\+\d{3})/, '$10')) === phone)

const scripts = [
  (text: string) => text,
  (text: string) => text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))),
  (text: string) => text.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'.charAt(Number(digit))),
]

const spelling = fc.record({
  prefix: fc.constantFrom('+', '00', '', '＋', '00 ', '\u200e+'),
  trunk: fc.constantFrom('', '0', '(0)', ' (0) ', '-0-'),
  gap: fc.constantFrom('', ' ', '-', '\u00a0', '.'),
  script: fc.constantFrom(...scripts),
})

describe('a phone number on the server', () => {
  it('has one E.164 form in every spelling of a Gulf mobile', () => {
    fc.assert(
      fc.property(mobile, spelling, ({ country, national, phone }, { prefix, trunk, gap, script }) => {
        const grouped = national.replace(/(\d{2,3})(?=(\d{3})+$)/g, `$1${gap}`)
        expect(parsePhone(script(`${prefix}${country}${gap}${trunk}${grouped}`))).toEqual({ ok: true, phone })
      }),
      runs,
    )
  })

  it('covers every Gulf state in the property above', () => {
    const seen = new Set(fc.sample(mobile, 500).map(({ country }) => country))
    expect([...seen].sort()).toEqual(['965', '966', '968', '971', '973', '974'])
  })

  it('stays the same when it is normalized again', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 8, maxLength: 14 })
    fc.assert(
      fc.property(fc.constantFrom(...'123456789'), digits, (first, rest) => {
        const once = canonicalPhone(`+${first}${rest}`)
        expect(canonicalPhone(once)).toBe(once)
        expect(once).toMatch(/^\+[1-9]\d{6,14}$/)
      }),
      { numRuns: runs.numRuns * 4 },
    )
  })

  it.each([
    ['+966 (0)50 123 9999', '+966501239999'],
    ['00966 050 1239999', '+966501239999'],
    ['+44 (0)20 7946 0018', '+442079460018'],
    ['+39 06 1234 5678', '+390612345678'],
    ['+966 (0)520 000 000', '+966520000000'],
    ['+123456789', '+123456789'],
  ])('is read from %s as %s', (typed, phone) => {
    expect(parsePhone(typed)).toEqual({ ok: true, phone })
  })
})
