import { composeAddress, filledParts, noParts } from '@qatra/contract/users/address-parts'
import { describe, expect, it } from 'vitest'
import { loadMessages, translateWith } from '../lib/language/i18n.tsx'
import { attemptKey, endAttempt } from './use-place-order.ts'

const parts = { block: '٤٢٨', road: ' 2831', building: '1172', flat: '' }

describe('address', () => {
  it('is composed in either language without empty parts', async () => {
    const [ar, en] = [translateWith(await loadMessages('ar')), translateWith(await loadMessages('en'))]
    expect(composeAddress(ar, 'السيف', parts)).toBe('السيف، مجمع 428، طريق 2831، مبنى 1172')
    expect(composeAddress(en, 'Seef', { ...parts, flat: '34' })).toBe(
      'Seef, Block 428, Road 2831, Building 1172, Flat 34',
    )
    expect(composeAddress(en, '26.22850, 50.57750', noParts)).toBe('26.22850, 50.57750')
    expect(composeAddress(en, '', noParts)).toBe('')
  })

  it('converts its parts to Western digits', () => {
    expect(filledParts(parts)).toEqual({ block: '428', road: '2831', building: '1172' })
  })
})

describe('idempotency key of the checkout', () => {
  const store = () => {
    const storage = new Map<string, string>()
    return {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, text: string) => void storage.set(name, text),
      removeItem: (name: string) => void storage.delete(name),
    }
  }

  it('stays the same for a cart version and changes with the version', () => {
    const storage = store()
    const key = attemptKey({ id: 9, version: 3 }, storage)
    expect(attemptKey({ id: 9, version: 3 }, storage)).toBe(key)
    expect(attemptKey({ id: 9, version: 4 }, storage)).not.toBe(key)
  })

  it('is discarded with the order', () => {
    const storage = store()
    const key = attemptKey({ id: 9, version: 3 }, storage)
    endAttempt(storage)
    expect(attemptKey({ id: 9, version: 3 }, storage)).not.toBe(key)
  })
})
