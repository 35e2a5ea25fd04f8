import { describe, expect, it } from 'vitest'
import { demoCatalogue } from '../../test/fixtures/bot-catalogue.ts'
import { newcomer, regular } from '../../test/fixtures/bot-world.ts'
import { freshMemory } from '../dialogue/memory.ts'
import { withoutPersonal } from './question.ts'
import { readSuggestion } from './suggestion.ts'

const nothing = { items: [], areaId: null, day: null, topic: null }
/** Hayrat water 500 ml of the demo. */
const HAYRAT_500 = 3
const two = { ...nothing, intent: 'order', items: [{ productId: HAYRAT_500, quantity: 2, change: 'add' }] }

describe('an answer of the model', () => {
  const catalogue = demoCatalogue()
  it('is a suggestion if all its ids are of the shop', () => {
    expect(readSuggestion(two, catalogue)).toEqual(two)
    expect(readSuggestion({ ...nothing, intent: 'shop', topic: 'payment', extra: 1 }, catalogue)).toMatchObject({
      topic: 'payment',
    })
  })

  const item = two.items[0]
  it.each<[string, unknown]>([
    ['an unknown product', { ...two, items: [{ ...item, productId: 987_654 }] }],
    ['a product twice', { ...two, items: [item, item] }],
    ['a quantity of none', { ...two, items: [{ ...item, quantity: 0 }] }],
    ['too many of one', { ...two, items: [{ ...item, quantity: 101 }] }],
    ['too many products', { ...two, items: Array.from({ length: 11 }, (_, i) => ({ ...item, productId: i + 1 })) }],
    ['an unknown area', { ...two, areaId: 987_654 }],
    ['an unknown day', { ...two, day: 'someday' }],
    ['an unknown intent', { ...two, intent: 'refund' }],
    ['an intent that is a yes', { ...two, intent: 'yes' }],
    ['an address', { ...two, intent: 'address' }],
    ['nothing', { ...two, intent: 'none' }],
    ['a question without a topic', { ...nothing, intent: 'shop' }],
    ['a change of nothing', { ...nothing, intent: 'change' }],
    ['a missing field', { intent: 'order', items: [] }],
    ['a text', 'order'],
    ['null', null],
  ])('is none with %s', (_, answer) => expect(readSuggestion(answer, catalogue)).toBeNull())

  it('is none if the product or its brand is not sold any more', () => {
    const products = new Map(catalogue.products)
    const product = products.get(HAYRAT_500)
    if (product) products.set(HAYRAT_500, { ...product, isActive: false })
    expect(readSuggestion(two, { ...catalogue, products })).toBeNull()
  })
})

describe('a text for the model', () => {
  const catalogue = demoCatalogue()
  const memory = freshMemory('ar')
  it.each([
    ['كرتونين هيرات ل نورة الدوسري رقمي 3600 0006', 'كرتونين هيرات ل ••• ••• رقمي •••'],
    ['wain 6alabi 33334444 noora', 'wain 6alabi ••• •••'],
    ['السيف مبنى 1172 شقة 34 كرتون', 'السيف ••• ••• ••• ••• كرتون'],
    ['see https://maps.app.goo.gl/abc and mail a@b.bh', 'see ••• and mail •••'],
  ])('has nothing personal that is known: %s', (text, expected) => {
    expect(withoutPersonal(text, { memory, catalogue, person: regular })).toBe(expected)
  })

  it('has no name or address of the conversation', () => {
    const known = { ...memory, name: 'Zainab Salman', address: 'Pearl Tower' }
    expect(
      withoutPersonal('send it to zainab at the pearl tower', { memory: known, catalogue, person: newcomer }),
    ).toBe('send it to ••• at the ••• •••')
  })
})
