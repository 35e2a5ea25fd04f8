import { describe, expect, it } from 'vitest'
import { knownOf, noted, shop } from '../../test/bot-corpus.ts'
import { distance, nearest, closedList } from './fuzzy.ts'
import { skeletonOf } from './normalize.ts'
import { understand } from './understand.ts'

const idle = { group: '', expect: '', state: 'idle', cart: '', asked: '', last: '' } as const
const read = (text: string, cart = '') => noted(understand(text, shop, knownOf({ ...idle, text, cart })))

const brands = {
  hayrat: ['هيرات', 'hayrat', 'hairat', 'حيرات'],
  ghaima: ['غيمة', 'ghayma', 'غيمه'],
  qamra: ['قمرة', 'gamra', '8amra'],
}
const sizes = {
  200: ['200', '٢٠٠ مل'],
  500: ['500ml', 'نص لتر', 'half litre'],
  1.5: ['1.5L', 'لتر ونص', 'litre and a half'],
}
const quantities = {
  1: ['كرتون', 'a box of'],
  2: ['كرتونين', '2', 'kartonain'],
  3: ['٣ كراتين', '3karton', 'three boxes'],
  25: ['خمسة وعشرين كرتون'],
}
const templates = [
  '{q} {b} {s}',
  '{b} {s} {q}',
  '{b} {s}, {q}',
  '{q} {s} {b}',
  'ابي {q} ماي {b} {s} لو سمحت',
  'hi can i get {q} {b} {s}?',
  '{q} {b} {s} حق السيف',
]

describe('an order', () => {
  it.each(templates)('is understood whatever the script and order of its parts: %s', (template) => {
    for (const [brand, names] of Object.entries(brands))
      for (const [size, spellings] of Object.entries(sizes))
        for (const [quantity, words] of Object.entries(quantities))
          for (const b of names)
            for (const s of spellings)
              for (const q of words) {
                const text = template.replace('{b}', b).replace('{s}', s).replace('{q}', q)
                expect(read(text).split(' | ').slice(0, 2).join(' | '), text).toBe(
                  `order | add ${quantity} ${brand}/${size}`,
                )
              }
  })
})

it('a word of change with a number changes by it, to it or adds it', () => {
  const ways = {
    less: ['نقص', 'شيل', 'قلل', 'remove', 'sheel', 'can you remove'],
    add: ['زيد', 'ضيف', 'حط بعد', 'add', 'zeed'],
    set: ['خلها', 'سوها', 'make it', '5alha', 'ok make it'],
  }
  for (const [change, verbs] of Object.entries(ways))
    for (const verb of verbs)
      for (const [count, words] of [
        ['1', 'كرتون'],
        ['2', 'كرتونين'],
        ['3', 'three cartons'],
        ['1', 'wahed'],
      ] as const)
        expect(read(`${verb} ${words}`, '4 hayrat/500'), `${verb} ${words}`).toBe(
          `change | ${change} ${count} hayrat/500`,
        )
})

it('corrected words are named, so that the answer can say them', () => {
  expect(understand('2 cartons ghaimma 500', shop, knownOf({ ...idle, text: '' })).guesses).toEqual(['ghaimma'])
  expect(understand('2 cartons ghaima 500', shop, knownOf({ ...idle, text: '' })).guesses).toEqual([])
})

it('an alias of the office names its brand', () => {
  const aliases = [{ of: 'vendor' as const, id: 2, text: 'ام الغيم' }]
  const { slots } = understand('كرتونين ام الغيم 500', { ...shop, aliases }, knownOf({ ...idle, text: '' }))
  expect(slots.items).toMatchObject([{ vendorId: 2, quantity: 2 }])
})

it('Arabic and Latin spellings have the same consonants', () => {
  expect(skeletonOf('muharraq')).toBe(skeletonOf('محرق'))
  expect(skeletonOf('busaiteen')).toBe(skeletonOf('بسيتين'))
  expect(skeletonOf('5alas')).toBe(skeletonOf('خلاص'))
})

it('a mistake is an omission, addition, replacement or exchange of neighbours; short words allow none', () => {
  expect(distance('cratno', 'carton', 2)).toBe(2)
  expect(distance('katron', 'karton', 2)).toBe(1)
  const list = closedList(['ghaima', 'seef', 'saar'])
  expect(nearest('ghiama', list)).toEqual(['ghaima'])
  expect(nearest('sef', list)).toEqual([])
})

it.each(['لا ترسلون السايق قبل العصر', "don't send the invoice", 'when does the offer stop?', 'شيلوا رقمي القديم'])(
  'a sentence about a delivery, invoice, offer or number stops no advertising: %s',
  (text) => {
    expect(understand(text, shop, knownOf({ ...idle, text })).intent).not.toBe('optOut')
  },
)

it.each([
  'لا ترسلون رسالة اتصلوا',
  'الجرس خربان دقوا الباب',
  'شيلوا كل الغراش الفاضية',
  'please take away all the empty bottles',
  'خلوا كرتون عند الباب',
  'ما في مشكلة',
])('a note for the driver interrupts nothing and changes no cart: %s', (text) => {
  const known = knownOf({ ...idle, text, state: 'notes', cart: '4 hayrat/500' })
  expect(['optOut', 'trouble', 'clear', 'change']).not.toContain(understand(text, shop, known).intent)
})

it.each(['شيل كل شي الا هيرات', 'remove everything except hayrat'])(
  'the product that is to stay is not taken out: %s',
  (text) => {
    const known = knownOf({ ...idle, text, state: 'cart', cart: '4 hayrat/500' })
    expect(understand(text, shop, known).slots.items.flatMap(({ productIds }) => productIds)).toEqual([])
  },
)
