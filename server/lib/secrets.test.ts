import { describe, expect, it } from 'vitest'
import { keyFor, seal, unseal } from './secrets.ts'

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
