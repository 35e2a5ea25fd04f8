import { describe, expect, it } from 'vitest'
import words from '../messages/product.en.json' with { type: 'json' }
import { noWater, waterShape, waterTexts } from './water.ts'

const t = (key: string, values: Record<string, string | number> = {}) =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, String(value)),
    String(words[key as keyof typeof words]),
  )

describe('the facts of the water', () => {
  it('are worded with their units; those without a value are left out', () => {
    const facts = { ...noWater, sourceAr: 'البحرين', tds: 110, sodium: 0, filledOn: '2026-11-20' }
    expect(waterTexts({ t, lang: 'en' }, facts).map(({ name, text }) => [name, text])).toEqual([
      ['source', 'البحرين'],
      ['tds', '110 mg/L'],
      ['sodium', '0 mg/L'],
      ['filled', 'Friday 20 November'],
    ])
    expect(waterTexts({ t, lang: 'ar' }, noWater)).toEqual([])
  })

  it.each([
    ['tds', [0, 2000], [-1, 2001, 1.5]],
    ['sodium', [0, 4.5, 1000], [-1, 4.55, 1001]],
    ['ph', [4, 7.45, 10], [3.9, 7.455, 10.1]],
    ['filledWithinDays', [1, 365], [0, 366, 1.5]],
  ] as const)('%s is within its range', (name, good, bad) => {
    for (const value of good) expect(waterShape[name].safeParse(value).success, String(value)).toBe(true)
    for (const value of bad) expect(waterShape[name].safeParse(value).success, String(value)).toBe(false)
  })
})
