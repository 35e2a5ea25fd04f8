import { describe, expect, it } from 'vitest'
import { homeSearch, langSearch, loginSearch, parseSearch, stringifySearch } from './search.ts'

describe('the query string', () => {
  it('remains plain text and round-trips', () => {
    const text = '?vendor=3&size=500&utm=a+b&twice=1&twice=2'
    expect(parseSearch(text)).toEqual({ vendor: '3', size: '500', utm: 'a b', twice: ['1', '2'] })
    expect(stringifySearch(parseSearch(text))).toBe(text)
  })

  it('ignores keys of the object prototype', () => {
    expect(Object.getPrototypeOf(parseSearch('?__proto__=x&constructor=y'))).toBe(Object.prototype)
    expect(stringifySearch(parseSearch('?__proto__=x'))).toBe('?__proto__=x')
  })

  it.each([['abc'], ['-1'], ['0'], ['1.5'], [''], [['1', '2']], [undefined], ['1e9999']])(
    'reads vendor %j as all',
    (vendor) => {
      expect(homeSearch({ vendor }).vendor).toBeUndefined()
    },
  )

  it('reads a vendor and a size', () => {
    expect(homeSearch({ vendor: '12', size: ' 1.5L ', sort: 'litre' })).toEqual({
      vendor: 12,
      size: '1.5L',
      sort: 'litre',
    })
    expect(homeSearch({ sort: 'name' }).sort).toBeUndefined()
    expect(homeSearch({ size: 'x'.repeat(51) }).size).toBeUndefined()
  })

  it.each([['fr'], ['AR'], [['ar', 'en']], [''], [undefined]])('takes no language from %j', (lang) => {
    expect(langSearch({ lang }).lang).toBeUndefined()
  })

  it('accepts only a string as the return address', () => {
    expect(loginSearch({ redirect: '/checkout' }).redirect).toBe('/checkout')
    expect(loginSearch({ redirect: ['/a', '/b'] }).redirect).toBeUndefined()
  })
})
