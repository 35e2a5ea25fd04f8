import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import type { Lang } from '../lib/lang.ts'
import ar from '../messages/unit.ar.json' with { type: 'json' }
import en from '../messages/unit.en.json' with { type: 'json' }
import { bottleTermsOf, type SoldUnit, unitName } from './unit-name.ts'
import { eachText, itemText, quantityText, sumText } from './unit-text.ts'

function wordsIn(lang: Lang) {
  const texts = Object.entries(lang === 'ar' ? ar : en).map(([key, text]) => [key, compileMessage(text)])
  const i18n = setupI18n({ locale: lang, messages: { [lang]: Object.fromEntries(texts) } })
  return { lang, t: (key: string, values?: Record<string, string | number>) => i18n._(key, values) }
}
const [arabic, english] = [wordsIn('ar'), wordsIn('en')]

const unit = (size: string, en: string | null, ar: string | null, pieces = 1): SoldUnit => ({
  size,
  inventoryUnit: en,
  inventoryUnitAr: ar,
  unitsPerInventoryUnit: pieces,
})
const carton = unit('500ml', 'Carton', 'كرتون', 24)
const swap = unit('5 gallon', 'Swap for your empty', 'مقابل قارورتك الفارغة')
const withBottle = unit('5 gallon', 'With a new bottle', 'مع قارورة جديدة')

describe('the unit of sale', () => {
  it.each<[SoldUnit, number, string, string]>([
    [carton, 1, 'كرتون واحد × 24 · 500 مل', '1 carton of 24 · 500 ml'],
    [carton, 2, 'كرتونان × 24 · 500 مل', '2 cartons of 24 · 500 ml'],
    [carton, 3, '3 كراتين × 24 · 500 مل', '3 cartons of 24 · 500 ml'],
    [carton, 11, '11 كرتونًا × 24 · 500 مل', '11 cartons of 24 · 500 ml'],
    [carton, 100, '100 كرتون × 24 · 500 مل', '100 cartons of 24 · 500 ml'],
    [unit('330ml', 'Pack', null, 12), 2, 'حزمتان × 12 · 330 مل', '2 packs of 12 · 330 ml'],
    [unit('330ml', null, 'كرتون'), 1, 'كرتون واحد · 330 مل', '1 carton · 330 ml'],
    [swap, 4, '4 غالونات (تبديل)', '4 gallons (exchange)'],
    [withBottle, 2, 'غالونان مع القارورة', '2 gallons with the bottle'],
    [unit('3 gallon', 'Refill', null), 1, 'قارورة واحدة (تبديل) · 3 غالون', '1 bottle (exchange) · 3 gallon'],
    // As old orders have it: no unit, and 1 where the pieces were not kept either.
    [unit('5 gallon', null, null), 3, '3 غالونات', '3 gallons'],
    [unit('500ml', null, null, 24), 3, '3 × 24 × 500 مل', '3 × 24 × 500 ml'],
    [unit('500ml', null, null), 3, '3 × 500 مل', '3 × 500 ml'],
    [unit('1.5L', 'Crate', 'قفص', 6), 2, '2 × قفص × 6 · 1.5 لتر', '2 × Crate × 6 · 1.5 L'],
  ])('of %j, %i are counted in both languages', (sold, count, ar, en) => {
    expect(quantityText(arabic, sold, count)).toBe(ar)
    expect(quantityText(english, sold, count)).toBe(en)
  })

  it('comes before the name in a line of a message', () => {
    expect(itemText(arabic, carton, { count: 3, name: 'مياه هيرات 500 مل' })).toBe('3 كراتين × 24 · مياه هيرات 500 مل')
    expect(itemText(arabic, unit('500ml', null, null), { count: 7, name: 'مياه هيرات' })).toBe('7 × مياه هيرات')
    expect(itemText(english, swap, { count: 1, name: 'Hayrat gallon' })).toBe('1 gallon (exchange) · Hayrat gallon')
  })

  it('is named on the card, and with the price of one', () => {
    expect(unitName(arabic, carton)).toBe('كرتون من 24 عبوة')
    expect(unitName(english, swap)).toBe('Swap for your empty')
    expect(unitName(english, unit('500ml', null, null, 24))).toBe('')
    expect(eachText(arabic, carton, '1.450 د.ب')).toBe('1.450 د.ب للكرتون')
    expect(eachText(english, swap, 'BHD 0.800')).toBe('BHD 0.800 a gallon')
    expect(eachText(english, unit('500ml', null, null), 'BHD 0.100')).toBe('BHD 0.100 a piece')
  })

  it('is summed where all lines count the same', () => {
    const lines = (...units: [SoldUnit, number][]) => units.map(([one, quantity]) => ({ ...one, quantity }))
    expect(sumText(arabic, lines([swap, 3], [withBottle, 1]))).toBe('4 غالونات')
    expect(sumText(arabic, lines([swap, 3], [carton, 3], [withBottle, 1]))).toBe('4 غالونات و3 كراتين')
    expect(sumText(english, lines([carton, 1], [swap, 3]))).toBe('1 carton and 3 gallons')
    expect(sumText(english, lines([unit('500ml', null, null), 4]))).toBe('4 pieces')
    expect(sumText(english, lines([carton, 1]))).toBe('1 carton')
  })

  it('tells a filled bottle that is sold from an exchange', () => {
    expect(bottleTermsOf(swap)).toBe('exchange')
    expect(bottleTermsOf(withBottle)).toBe('withBottle')
    expect(bottleTermsOf(carton)).toBe(null)
  })

  it('knows the terms of a product with a bottle, and of an order of it, whatever the unit is called', () => {
    const plain = unit('5 gallon', 'Gallon', 'غالون')
    expect(quantityText(arabic, { ...plain, bottle: { terms: 'exchange' } }, 4)).toBe('4 غالونات (تبديل)')
    expect(quantityText(english, { ...plain, bottleTerms: 'sold' }, 2)).toBe('2 gallons with the bottle')
    expect(bottleTermsOf({ ...withBottle, bottle: { terms: 'exchange' } })).toBe('exchange')
    expect(bottleTermsOf({ ...swap, bottle: null, bottleTerms: null })).toBe('exchange')
  })
})
