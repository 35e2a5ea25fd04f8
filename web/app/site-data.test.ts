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
  it('keeps what it is given', () => {
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

  it('reads text that is no JSON as nothing', () => {
    window[name].setItem('a', '{')
    expect(store.readJson('a')).toBeNull()
  })

  it('keeps it for as long as the page where site data is blocked', () => {
    vi.spyOn(window, name, 'get').mockImplementation(blocked)
    store.setItem('a', '1')
    expect([store.getItem('a'), store.keys(), store.getItem('b')]).toEqual(['1', ['a'], null])
    store.removeItem('a')
    expect([store.getItem('a'), store.keys()]).toEqual([null, []])
  })

  it('reads the newest value where storage has become full, and keeps the one before', () => {
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

describe('the other interfaces, where site data is blocked', () => {
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

  it('are null where the browser has none', () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('caches', undefined)
    expect([openChannel('a'), lockManager(), serviceWorkers()]).toEqual([null, null, null])
  })
})
