import { describe, expect, it } from 'vitest'
import { loadWords, translateWith } from '../app/i18n.tsx'
import { blockIn, composeAddress, filledParts, noParts } from './address.ts'
import { attemptKey, endAttempt } from './attempt.ts'

const parts = { block: '٤٢٨', road: ' 2831', building: '1172', flat: '' }

describe('an address', () => {
  it('is composed in either language, without what was left out', async () => {
    const [ar, en] = [translateWith(await loadWords('ar')), translateWith(await loadWords('en'))]
    expect(composeAddress(ar, 'السيف', parts)).toBe('السيف، مجمع 428، طريق 2831، مبنى 1172')
    expect(composeAddress(en, 'Seef', { ...parts, flat: '34' })).toBe(
      'Seef, Block 428, Road 2831, Building 1172, Flat 34',
    )
    expect(composeAddress(en, '26.22850, 50.57750', noParts)).toBe('26.22850, 50.57750')
    expect(composeAddress(en, '', noParts)).toBe('')
  })

  it('keeps its parts in Western digits', () => {
    expect(filledParts(parts)).toEqual({ block: '428', road: '2831', building: '1172' })
  })

  it('names its block or does not', async () => {
    const [ar, en] = [translateWith(await loadWords('ar')), translateWith(await loadWords('en'))]
    expect(blockIn(ar, 'السيف، مجمع 428')).toBe('428')
    expect(blockIn(ar, 'السيف، مجمع ٤٢٨')).toBe('428')
    expect(blockIn(en, 'Seef, Block 1026, Bahrain')).toBe('1026')
    expect(blockIn(ar, 'مجمع السيف')).toBe('')
    expect(blockIn(en, 'Blockade 428')).toBe('')
    expect(blockIn(en, '26.22850, 50.57750')).toBe('')
  })
})

describe('the key of an attempt', () => {
  const store = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    }
  }

  it('stays with its cart and is another for another state of it', () => {
    const kept = store()
    const key = attemptKey({ id: 9, version: 3 }, kept)
    expect(attemptKey({ id: 9, version: 3 }, kept)).toBe(key)
    expect(attemptKey({ id: 9, version: 4 }, kept)).not.toBe(key)
  })

  it('ends with the order', () => {
    const kept = store()
    const key = attemptKey({ id: 9, version: 3 }, kept)
    endAttempt(kept)
    expect(attemptKey({ id: 9, version: 3 }, kept)).not.toBe(key)
  })
})
