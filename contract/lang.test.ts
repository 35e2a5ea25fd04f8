import { describe, expect, it } from 'vitest'
import { westernDigits } from './digits.ts'
import { dirOf, inLang, isLang, nameIn } from './lang.ts'

describe('the language', () => {
  it('is ar or en and nothing else', () => {
    expect(['ar', 'en'].every(isLang)).toBe(true)
    for (const other of ['AR', 'fr', '', ' ar', null, undefined, ['ar'], 0, { ar: 1 }])
      expect(isLang(other)).toBe(false)
  })

  it('says which way a page runs', () => {
    expect([dirOf('ar'), dirOf('en')]).toEqual(['rtl', 'ltr'])
  })
})

describe('a name in two languages', () => {
  it('is the one of the language', () => {
    expect(nameIn('ar', { name: 'Hayrat', nameAr: 'هيرات' })).toBe('هيرات')
    expect(nameIn('en', { name: 'Hayrat', nameAr: 'هيرات' })).toBe('Hayrat')
  })

  it.each([null, undefined, '', '  ', '\u200f', '\u00a0\u200b'])(
    'is the other one where its own is blank: %j',
    (blank) => {
      expect(nameIn('ar', { name: 'Hayrat', nameAr: blank })).toBe('Hayrat')
      expect(nameIn('en', { name: blank, nameAr: 'هيرات' })).toBe('هيرات')
    },
  )

  it('is empty where there is none', () => {
    expect(nameIn('ar', { name: '' })).toBe('')
    expect(inLang('en', null, undefined)).toBe('')
  })
})

describe('digits', () => {
  it('become western from every script people here type', () => {
    expect(westernDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ０１２３４５６７８９')).toBe('0123456789 0123456789 0123456789')
  })

  it('leave everything else as it is', () => {
    expect(westernDigits('مياه 5 L ½ १ ④')).toBe('مياه 5 L ½ १ ④')
  })
})
