import { describe, expect, it } from 'vitest'
import { isSameSecret, keyFor, seal, unseal } from './secrets.ts'

describe('a sealed text', () => {
  const key = keyFor(Buffer.alloc(32, 7), 'one')
  const other = keyFor(Buffer.alloc(32, 7), 'another')

  it('decrypts only with its key and owner, and not after a change', () => {
    const sealed = seal(key, '4321 رمز', 'owner')
    expect(sealed).not.toContain('4321')
    expect(seal(key, '4321 رمز', 'owner')).not.toBe(sealed)
    expect(unseal(key, sealed, 'owner')).toBe('4321 رمز')
    expect(unseal(other, sealed, 'owner')).toBeNull()
    expect(unseal(key, sealed, 'somebody else')).toBeNull()
    for (let n = 0; n < sealed.length; n += 5) {
      const touched = sealed.slice(0, n) + (sealed[n] === 'A' ? 'B' : 'A') + sealed.slice(n + 1)
      expect(unseal(key, touched, 'owner')).toBeNull()
    }
    for (const rubbish of ['', 'A', '💧', sealed.slice(0, 20)]) expect(unseal(key, rubbish, 'owner')).toBeNull()
  })
})

describe('the comparison of secrets', () => {
  it.each([
    ['equal texts', 'abc', 'abc', true],
    ['texts of equal length that differ', 'abc', 'abd', false],
    ['texts of different lengths', 'abc', 'abcd', false],
    ['an empty text and a secret', '', 'abc', false],
    ['equal bytes', Buffer.from('abc'), Buffer.from('abc'), true],
    ['bytes of different lengths', Buffer.from('ab'), Buffer.from('abc'), false],
  ])('decides on %s', (_, given, right, isSame) => expect(isSameSecret(given, right)).toBe(isSame))
})
