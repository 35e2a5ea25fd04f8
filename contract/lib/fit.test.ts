import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fit, letterAt } from './fit.ts'

it.each([
  ['Water', 5, 'Water'],
  ['Falaj 500 ml carton of 24', 12, 'Falaj 500 m…'],
  ['ماءٌ عذب', 4, 'ما…'],
  ['👨‍👩‍👧 family', 6, '…'],
])('%j in %i is %j', (text, most, wanted) => expect(fit(text, most)).toBe(wanted))

it('never exceeds the limit and never splits a grapheme', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const cut = fit(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut).not.toMatch(/\p{Cs}/u)
    }),
  )
})

it('finds the start of a grapheme', () => {
  const family = '👨‍👩‍👧'
  expect([letterAt('ماء', 1), letterAt(`a${family}b`, 4), letterAt(`a${family}b`, 9), letterAt('ماء', 3)]).toEqual([
    1, 1, 9, 3,
  ])
})
