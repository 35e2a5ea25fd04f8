import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  dropCache,
  localStore,
  lockManager,
  openChannel,
  readCookies,
  serviceWorkers,
  tabStore,
  writeCookie,
} from './site-data.ts'

const blocked = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each([
  ['localStorage', localStore],
  ['sessionStorage', tabStore],
] as const)('%s', (name, store) => {
  it('returns stored values and removes them', () => {
    store.setItem('a', '{"b":1}')
    expect([window[name].getItem('a'), store.getItem('a'), store.readJson('a')]).toEqual([
      '{"b":1}',
      '{"b":1}',
      { b: 1 },
    ])
    expect(store.keys()).toEqual(['a'])
    store.removeItem('a')
    expect([window[name].getItem('a'), store.getItem('a'), store.readJson('a')]).toEqual([null, null, null])
  })

  it('returns null for text that is not JSON', () => {
    window[name].setItem('a', '{')
    expect(store.readJson('a')).toBeNull()
  })

  it('keeps values in memory if site data is blocked', () => {
    vi.spyOn(window, name, 'get').mockImplementation(blocked)
    store.setItem('a', '1')
    expect([store.getItem('a'), store.keys(), store.getItem('b')]).toEqual(['1', ['a'], null])
    store.removeItem('a')
    expect([store.getItem('a'), store.keys()]).toEqual([null, []])
  })

  it('returns the newest value after storage is full, and leaves the stored one', () => {
    store.setItem('a', 'old')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError')
    })
    store.setItem('a', 'new')
    expect([store.getItem('a'), window[name].getItem('a')]).toEqual(['new', 'old'])
    store.removeItem('a')
    expect([store.getItem('a'), window[name].getItem('a')]).toEqual([null, null])
  })
})

describe('the other interfaces with site data blocked', () => {
  it('are null or do nothing', async () => {
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          blocked()
        }
      },
    )
    vi.stubGlobal('navigator', {
      get locks() {
        return blocked()
      },
      get serviceWorker() {
        return blocked()
      },
    })
    vi.stubGlobal('caches', { delete: blocked })
    vi.spyOn(document, 'cookie', 'get').mockImplementation(blocked)
    vi.spyOn(document, 'cookie', 'set').mockImplementation(blocked)
    expect([openChannel('a'), lockManager(), serviceWorkers(), readCookies()]).toEqual([null, null, null, ''])
    expect(() => writeCookie('a=1')).not.toThrow()
    expect(await dropCache('a')).toBe(false)
    vi.stubGlobal('caches', { delete: () => Promise.reject(new DOMException('Blocked', 'SecurityError')) })
    expect(await dropCache('a')).toBe(false)
  })

  it('are null if the browser lacks them', () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('caches', undefined)
    expect([openChannel('a'), lockManager(), serviceWorkers()]).toEqual([null, null, null])
  })
})
