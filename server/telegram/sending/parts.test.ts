import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inParts, MAX_LENGTH } from './parts.ts'

const plain = (text: string) => text.replaceAll(/\s+/g, '')

describe('a long text', () => {
  it('is split after a line or word, without loss', () => {
    const text = Array.from({ length: 900 }, (_, n) => (n % 40 === 0 ? `سطر\n` : `كلمة${n}`)).join(' ')
    const parts = inParts(text)
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.every((part) => part.length <= MAX_LENGTH)).toBe(true)
    expect(plain(parts.join(''))).toBe(plain(text))
    // Words are not split.
    expect(parts.every((part) => text.split(/\s+/).includes(part.split(/\s+/).at(-1) ?? ''))).toBe(true)
  })

  it('is split only between characters if they have several code units', () => {
    const family = '👨‍👩‍👧‍👦'
    const parts = inParts(`ا${family.repeat(600)}`)
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join('')).toBe(`ا${family.repeat(600)}`)
    expect(parts.slice(1).every((part) => part.startsWith(family))).toBe(true)
    // Splitting by UTF-16 units breaks a character.
    const careless = `ا${family.repeat(600)}`.slice(0, MAX_LENGTH)
    expect(careless.endsWith(family)).toBe(false)
  })

  it('is split without breaking a surrogate pair if it is one character with thousands of marks', () => {
    const marked = `e${'\u0301'.repeat(9_000)}`
    expect(inParts(marked).join('')).toBe(marked)
    const pairs = `a${'\u{1D167}'.repeat(5_000)}`
    const parts = inParts(pairs)
    expect(parts.every((part) => part.isWellFormed() && part.length <= MAX_LENGTH)).toBe(true)
    expect(parts.join('')).toBe(pairs)
  })

  it('is limited in its number of parts', () => {
    const parts = inParts('ماء '.repeat(20_000))
    expect(parts.length).toBeLessThanOrEqual(5)
    expect(parts.at(-1)?.endsWith('…')).toBe(true)
  })

  it('keeps every character, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.integer({ min: 35, max: 60 }), (text, most) => {
        const parts = inParts(text, most)
        const fits = text.trim().length <= most * 4
        expect(parts.every((part) => part !== '' && part.length <= most && part.isWellFormed())).toBe(true)
        if (fits) expect(plain(parts.join(''))).toBe(plain(text))
      }),
    )
  })
})
