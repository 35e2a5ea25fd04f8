import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSizes, formatSize, presetSizes, silhouetteOf, sizeKey, volumeOf } from './sizes.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const unit = fc.constantFrom('ml', 'L', ' l', 'cl', ' gallon', ' مل', ' لتر', ' غالون', ' جالون', '')
const written = fc
  .tuple(fc.integer({ min: 0, max: 30_000 }), fc.constantFrom(1, 10, 100), unit)
  .map(([n, part, of]) => `${n / part}${of}`)
const size = fc.oneof(fc.constantFrom(...presetSizes), written, fc.string(), fc.string({ unit: 'binary' }))

describe('the volume of a size', () => {
  it.each([
    ['200ml', 200],
    ['500 ML', 500],
    ['0.5L', 500],
    ['٥٠٠ مل', 500],
    ['٠٫٥ لتر', 500],
    ['۵۰۰ml', 500],
    ['0,5 l', 500],
    ['50 cl', 500],
    ['1.5L', 1500],
    ['1.5 litres', 1500],
    ['١٫٥ لِتر', 1500],
    ['1,500 ml', 1500],
    ['1.5 Ltr.', 1500],
    ['5 gallon', 18_927.059],
    ['5-Gallon', 18_927.059],
    ['5 gallons', 18_927.059],
    ['٥ غالون', 18_927.059],
    ['5 جالون', 18_927.059],
    ['500\u00a0ml\u200f', 500],
    ['330㎖', 330],
  ])('%j is %d ml', (text, volume) => {
    expect(volumeOf(text)).toBe(volume)
  })

  it.each([
    '',
    'large',
    '500',
    'ml',
    '0 ml',
    '-5 ml',
    '1e3 ml',
    '5 constructor',
    '6 x 500 ml',
    '1..5 L',
    'NaN L',
    '\ud800 ml',
  ])('is unknown for %j', (text) => {
    expect(volumeOf(text)).toBeNull()
  })
})

describe('the key of a size', () => {
  it('is the same for all spellings', () => {
    const keys = ['0.5L', '500 ml', '٥٠٠ مل', '500ML', '50cl'].map(sizeKey)
    expect(new Set(keys)).toEqual(new Set(['500ml']))
    expect(sizeKey('  Large ')).toBe(sizeKey('large'))
    expect(sizeKey('500ml')).not.toBe(sizeKey('500'))
  })

  it('is its own key, and equal keys have equal volumes', () => {
    fc.assert(
      fc.property(size, size, (a, b) => {
        expect(sizeKey(sizeKey(a))).toBe(sizeKey(a))
        expect(sizeKey(a) === sizeKey(b)).toBe(compareSizes(a, b) === 0)
      }),
      runs,
    )
  })
})

describe('the order of sizes', () => {
  it('is by volume, sizes without a volume last by text', () => {
    const shuffled = ['Zebra', '5 gallon', '1.5L', 'أكبر', '200ml', '600ml', 'apple', '٣٣٠ مل', '0.5L']
    expect(shuffled.sort(compareSizes)).toEqual([
      '200ml',
      '٣٣٠ مل',
      '0.5L',
      '600ml',
      '1.5L',
      '5 gallon',
      'apple',
      'Zebra',
      'أكبر',
    ])
    expect([...presetSizes].reverse().sort(compareSizes)).toEqual(presetSizes)
  })

  it('is a consistent ordering', () => {
    fc.assert(
      fc.property(size, size, size, (a, b, c) => {
        expect(Math.sign(compareSizes(a, b)) + Math.sign(compareSizes(b, a))).toBe(0)
        if (compareSizes(a, b) <= 0 && compareSizes(b, c) <= 0) expect(compareSizes(a, c)).toBeLessThanOrEqual(0)
      }),
      runs,
    )
  })
})

describe('a formatted size', () => {
  it.each([
    ['200ml', '200 ml', '200 مل'],
    ['0.5L', '500 ml', '500 مل'],
    ['1.5L', '1.5 L', '1.5 لتر'],
    ['1000 ml', '1 L', '1 لتر'],
    ['٥ جالون', '5 gallon', '5 غالون'],
    ['18.9 L', '18.9 L', '18.9 لتر'],
    [' Family pack ', 'Family pack', 'Family pack'],
  ])('%j', (text, en, ar) => {
    expect([formatSize(text, 'en'), formatSize(text, 'ar')]).toEqual([en, ar])
  })

  it('is the same for the key of a size', () => {
    for (const preset of presetSizes) expect(formatSize(sizeKey(preset), 'ar')).toBe(formatSize(preset, 'ar'))
  })

  it('maps to the nearest drawn bottle', () => {
    expect(presetSizes.map(silhouetteOf)).toEqual(['b-200', 'b-330', 'b-500', 'b-600', 'b-1500', 'b-5g'])
    expect(['100ml', '250 ml', '400ml', '750ml', '1L', '2 L', '10 لتر', '99999 L', 'large'].map(silhouetteOf)).toEqual([
      'b-200',
      'b-200',
      'b-330',
      'b-600',
      'b-1500',
      'b-1500',
      'b-5g',
      'b-5g',
      'b-500',
    ])
  })
})
