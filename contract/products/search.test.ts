import { describe, expect, it } from 'vitest'
import { matchesSearch, productSearchText, searchWords } from './search.ts'

const water = {
  name: 'Hayrat Water',
  nameAr: 'مياه هيرات المعدنيّة',
  description: null,
  descriptionAr: 'ماء عذب',
  size: '0.5L',
}
const text = productSearchText(water, { name: 'Hayrat', nameAr: 'هيرات' })
const isFound = (typed: string) => matchesSearch(text, searchWords(typed))

describe('product search', () => {
  it.each([
    'هيرات',
    'مياة',
    'المعدنيه هيرات',
    'hayrat WATER',
    'water hayrat',
    'ماء',
    '٥٠٠ مل',
    '500ml',
    '500 ml',
    'هيرات 0.5 لتر',
    '  ',
  ])('finds the product by "%s"', (typed) => {
    expect(isFound(typed)).toBe(true)
  })

  it.each(['غيمة', 'hayrat gallon', '1.5 L', '50 مل', '%', 'هيرات 330 مل'])(
    'does not find the product by "%s"',
    (typed) => {
      expect(isFound(typed)).toBe(false)
    },
  )

  it('does not find 1.5 L by 500 ml', () => {
    const large = productSearchText({ ...water, size: '1.5L' }, undefined)
    expect(['500 ml', '1500ml', '1.5'].map((typed) => matchesSearch(large, searchWords(typed)))).toEqual([
      false,
      true,
      true,
    ])
  })

  it.each([
    ['5 غالون', '#18927.059ml'],
    ['هيرات ٥٠٠', 'هيرات|500'],
    ['500 مل هيرات', '#500ml|هيرات'],
  ])('reads "%s" as the words %s', (typed, words) => {
    expect(searchWords(typed).join('|')).toBe(words)
  })
})
