import { describe, expect, it } from 'vitest'
import { isOneLetterOff, productSearchText, searchFor, searchWords } from './search.ts'

const base = { description: null, descriptionAr: null, unitsPerInventoryUnit: 24 }
const carton = { ...base, inventoryUnit: 'Carton', inventoryUnitAr: 'كرتون' }
const hayrat = { name: 'Hayrat', nameAr: 'هيرات' }
const fayd = { name: 'Fayd', nameAr: 'فيض' }
const half = { ...carton, name: 'Hayrat Water', nameAr: 'مياه هيرات المعدنيّة', descriptionAr: 'ماء عذب', size: '0.5L' }
const large = { ...carton, name: 'Hayrat low sodium', nameAr: 'هيرات قليلة الصوديوم', size: '1.5L' }
const cups = { ...carton, name: 'Fayd cups', nameAr: 'أكواب فيض', size: '200ml' }
const gallon = {
  ...base,
  name: 'Fayd',
  nameAr: 'فيض',
  size: '5 gallon',
  unitsPerInventoryUnit: 1,
  inventoryUnit: 'Swap for your empty',
  inventoryUnitAr: 'مقابل قارورتك الفارغة',
}
const shelf = {
  half: productSearchText(half, hayrat),
  large: productSearchText(large, hayrat),
  cups: productSearchText(cups, fayd),
  gallon: productSearchText(gallon, fayd),
}
function find(typed: string) {
  const { isFound, isExact } = searchFor(typed, Object.values(shelf))
  const found = Object.entries(shelf).flatMap(([name, text]) => (isFound(text) ? [name] : []))
  return { found: found.join(' '), isExact }
}

describe('product search', () => {
  it.each([
    ['هيرات', 'half large'],
    ['مياة', 'half large cups gallon'],
    ['المعدنيه هيرات', 'half'],
    ['water hayrat', 'half large'],
    ['٥٠٠ مل', 'half'],
    ['500ml', 'half'],
    ['هيرات 0.5 لتر', 'half'],
    ['1.5', 'large'],
    ['500', 'half'],
    ['1500ml', 'large'],
    ['  ', 'half large cups gallon'],
    ['50 مل', ''],
    ['%', ''],
    ['هيرات 330 مل', ''],
    ['hayrat gallon', ''],
  ])('finds by "%s" as typed: %s', (typed, found) => {
    expect(find(typed)).toMatchObject({ found })
  })

  it.each([
    ['ماء', 'half large cups gallon'],
    ['الماء', 'half large cups gallon'],
    ['moya', 'half large cups gallon'],
    ['كرتون', 'half large cups'],
    ['كراتين هيرات', 'half large'],
    ['الكرتونة', 'half large cups'],
    ['karton', 'half large cups'],
    ['دبة', 'gallon'],
    ['دبّات', 'gallon'],
    ['جالون', 'gallon'],
    ['dabba', 'gallon'],
    ['19 لتر', 'gallon'],
    ['5 gallon', 'gallon'],
    ['قارورة', 'half large cups'],
    ['غرشة', 'half large cups'],
    ['bottles', 'half large cups'],
    ['كوب', 'cups'],
    ['استبدال', 'gallon'],
    ['نص لتر', 'half'],
    ['لتر ونص هيرات', 'large'],
    ['half a litre', 'half'],
    ['كرتون 24', 'half large cups'],
  ])('knows the word of the trade "%s": %s', (typed, found) => {
    expect(find(typed)).toEqual({ found, isExact: true })
  })

  it.each([
    ['هيرت', 'half large'],
    ['هيارت', 'half large'],
    ['hayrt', 'half large'],
    ['hairat 500 ml', 'half'],
    ['كرنون', 'half large cups'],
    ['فيظ', 'cups gallon'],
    ['صوديم', 'large'],
    ['galllon', 'gallon'],
    ['hirat', 'half large'],
    ['heyret', 'half large'],
    ['faidh', 'cups gallon'],
    ['garoora', 'half large cups'],
  ])('reads "%s" with one wrong letter or by its sound, as nothing matches: %s', (typed, found) => {
    expect(find(typed)).toEqual({ found, isExact: false })
  })

  it.each(['غيمة', 'pepsi', 'harissa', 'ماءا', 'هيرات فانتا', 'xyz'])('finds nothing by "%s"', (typed) => {
    expect(find(typed).found).toBe('')
  })

  it.each([
    ['5 غالون', '#dispenser'],
    ['هيرات ٥٠٠', 'هيرات|500'],
    ['500 مل هيرات', '#500ml|هيرات'],
    ['الكرتون', 'الكرتون/كرتون/#carton'],
  ])('reads "%s" as the words %s', (typed, words) => {
    expect(
      searchWords(typed)
        .map((word) => word.join('/'))
        .join('|'),
    ).toBe(words)
  })

  it.each([
    ['abcd', 'abcd', false],
    ['abcd', 'abxd', true],
    ['abcd', 'acbd', true],
    ['abcd', 'abcde', true],
    ['abcd', 'abdef', false],
    ['abcd', 'badc', false],
    ['abc', 'abd', false],
    ['مائء', 'مائا', false],
  ])('"%s" and "%s" are one letter apart: %s', (a, b, isOff) => {
    expect([isOneLetterOff(a, b), isOneLetterOff(b, a)]).toEqual([isOff, isOff])
  })
})

describe('the search of bottles', () => {
  const plain = { ...gallon, inventoryUnit: 'Gallon', inventoryUnitAr: 'غالون' }
  const bottles = {
    exchange: productSearchText({ ...plain, bottle: { terms: 'exchange' } }, hayrat),
    sold: productSearchText({ ...plain, bottle: { terms: 'sold' } }, hayrat),
    other: productSearchText({ ...plain, bottle: null }, hayrat),
  }

  it.each([
    ['gallon', 'exchange sold other'],
    ['refill', 'exchange'],
    ['غالون تبديل', 'exchange'],
    ['غالون جديد', 'sold'],
    ['gallon with bottle', 'sold'],
    ['new gallon', 'sold'],
    ['مع القارورة', 'sold'],
  ])('tells an exchange from a bottle that is sold: "%s" finds %s', (typed, expected) => {
    const { isFound } = searchFor(typed, Object.values(bottles))
    expect(
      Object.entries(bottles)
        .flatMap(([name, text]) => (isFound(text) ? [name] : []))
        .join(' '),
    ).toBe(expected)
  })
})
