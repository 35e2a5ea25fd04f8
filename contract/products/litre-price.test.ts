import { expect, it } from 'vitest'
import { litrePrice } from './litre-price.ts'

const plain = { name: 'Water', nameAr: null, inventoryUnit: null, inventoryUnitAr: null, unitsPerInventoryUnit: 1 }

it.each([
  ['a gallon', 0.8, '5 gallon', 1, 42],
  ['a carton of 24', 1.6, '500 ml', 24, 133],
  ['Arabic digits', 1.35, '٣٣٠ مل', 24, 170],
  ['a size that is no volume', 1.5, 'Large', 1, null],
  ['a price of nothing', 0, '500ml', 1, null],
  ['less than half a fils a litre', 0.001, '5 gallon', 100, null],
])('the price of a litre is known for %s', (_, price, size, unitsPerInventoryUnit, expected) => {
  expect(litrePrice({ ...plain, price, size, unitsPerInventoryUnit })).toBe(expected)
})

it.each([
  [{ nameAr: 'غالون هيرات مع القارورة' }, null],
  [{ inventoryUnit: 'With a new bottle', inventoryUnitAr: 'مع قارورة جديدة' }, null],
  [{ name: 'Gallon with dispenser' }, null],
  [{ bottle: { terms: 'sold' as const } }, null],
  [{ name: 'Gallon with refund', bottle: { terms: 'exchange' as const } }, 132],
  [{ nameAr: 'مياه هيرات المعدنية', inventoryUnitAr: 'مقابل قارورتك الفارغة' }, 132],
])('a price that includes more than water has none per litre: %j', (words, expected) => {
  expect(litrePrice({ ...plain, price: 2.5, size: '5 gallon', ...words })).toBe(expected)
})
