import { expect, it } from 'vitest'
import { searchAreas } from './area-search.ts'

const areas = [
  { areaId: 'diyar', name: 'Diyar Al Muharraq', nameAr: 'ديار المحرق' },
  { areaId: 'muharraq', name: 'Muharraq', nameAr: 'المحرق' },
  { areaId: 'seef', name: 'Seef', nameAr: 'السيف' },
  { areaId: 'juffair', name: 'Juffair', nameAr: 'الجفير' },
  { areaId: 'sanabis', name: 'Sanabis', nameAr: 'السنابس' },
]

it.each([
  ['muharraq', 'muharraq diyar', true],
  ['الجفير', 'juffair', true],
  ['السيغ', 'seef', false],
  ['جفبر', 'juffair', false],
  ['juffar', 'juffair', false],
  ['ديار المحرك', 'diyar', false],
  ['428', 'sanabis seef', true],
  ['مجمع ٤٢٨', 'sanabis seef', true],
  ['999', '', true],
  ['', 'diyar juffair muharraq sanabis seef', true],
  ['Riyadh', '', false],
])('"%s" finds the areas %s; by name or block: %s', (typed, found, isExact) => {
  const answer = searchAreas(typed, areas, { lang: 'en', nameOf: ({ name }) => name })
  expect(answer.areas.map(({ areaId }) => areaId).join(' ')).toBe(found)
  expect(answer).toMatchObject({ isExact, isOfBlock: /\d|[٠-٩]/.test(typed) })
})
