import { describe, expect, it } from 'vitest'
import { westernDigits } from './digits.ts'
import { dirOf, inLang, isLang, nameIn } from './lang.ts'

describe('language', () => {
  it('accepts only ar and en', () => {
    expect(['ar', 'en'].every(isLang)).toBe(true)
    for (const other of ['AR', 'fr', '', ' ar', null, undefined, ['ar'], 0, { ar: 1 }])
      expect(isLang(other)).toBe(false)
  })

  it('determines the text direction', () => {
    expect([dirOf('ar'), dirOf('en')]).toEqual(['rtl', 'ltr'])
  })
})

describe('a name in two languages', () => {
  it('is shown in the requested language', () => {
    expect(nameIn('ar', { name: 'Hayrat', nameAr: 'هيرات' })).toBe('هيرات')
    expect(nameIn('en', { name: 'Hayrat', nameAr: 'هيرات' })).toBe('Hayrat')
  })

  it.each([null, undefined, '', '  ', '\u200f', '\u00a0\u200b'])(
    'falls back to the other language if its own is blank: %j',
    (blank) => {
      expect(nameIn('ar', { name: 'Hayrat', nameAr: blank })).toBe('Hayrat')
      expect(nameIn('en', { name: blank, nameAr: 'هيرات' })).toBe('هيرات')
    },
  )

  it('is empty if both languages are', () => {
    expect(nameIn('ar', { name: '' })).toBe('')
    expect(inLang('en', null, undefined)).toBe('')
  })
})

describe('digits', () => {
  it('of Arabic-Indic, Persian and full-width scripts become Western', () => {
    expect(westernDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ０１２３４５６７８９')).toBe('0123456789 0123456789 0123456789')
  })

  it('conversion leaves other characters unchanged', () => {
    expect(westernDigits('مياه 5 L ½ १ ④')).toBe('مياه 5 L ½ १ ④')
  })
})
