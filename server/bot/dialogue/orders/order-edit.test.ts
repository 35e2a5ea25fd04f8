import { describe, expect, it } from 'vitest'
import { demoCatalogue } from '../../../test/fixtures/bot-catalogue.ts'
import { understand } from '../../understanding/understand.ts'
import { dateOf, editLines } from './order-edit.ts'

/** A Sunday. */
const now = new Date('2026-11-15T09:00:00Z')

it.each([
  ['today', '2026-11-15'],
  ['tomorrow', '2026-11-16'],
  ['afterTomorrow', '2026-11-17'],
  [0, '2026-11-22'],
  [1, '2026-11-16'],
  [6, '2026-11-21'],
] as const)('the day %s is %s on a Sunday', (day, expected) => {
  expect(dateOf(day, now)).toBe(expected)
})

const shop = demoCatalogue()
const products = [...shop.products.values()].filter(({ vendorId, name }) => vendorId === 1 && name.startsWith('Hayrat'))
const idOf = (size: string) => products.find((product) => product.size === size)?.id ?? 0
const [half, small] = [idOf('500ml'), idOf('200ml')]
const before = [{ productId: half, quantity: 4 }]

function edited(text: string, lines = before) {
  const known = { state: 'cart', vendorId: 1, productId: null, cart: lines, lastOrder: lines } as const
  return editLines(lines, understand(text, shop, known).slots.items)
}

describe('the lines of an order', () => {
  it.each([
    ['add a carton', [[half, 5]]],
    [
      'زيد ٢ كرتون 200 مل',
      [
        [half, 4],
        [small, 2],
      ],
    ],
    ['make it 6', [[half, 6]]],
    ['نقص كرتون', [[half, 3]]],
    ['remove the 500ml', []],
  ] as const)('after %j', (text, lines) => {
    expect(edited(text)).toEqual({ lines: lines.map(([productId, quantity]) => ({ productId, quantity })) })
  })

  it('stay as they are if the product is not clear', () => {
    const two = [...before, { productId: small, quantity: 1 }]
    expect(edited('add a carton', two)).toEqual({ problem: 'which' })
  })

  it('stay as they are if the quantity is out of range', () => {
    expect(edited('add 200 cartons hayrat 500ml')).toEqual({ problem: 'quantity' })
  })
})
