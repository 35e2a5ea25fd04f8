import type { Product } from '@qatra/contract/products/products'
import { expect, it } from 'vitest'
import { cardFacts, nextPriceOf } from './card-facts.ts'

const productOf = (id: number, about: Partial<Product> = {}): Product => ({
  id,
  vendorId: 1,
  name: `Water ${id}`,
  nameAr: null,
  description: null,
  descriptionAr: null,
  price: 1.2,
  size: '500ml',
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: 'Carton',
  inventoryUnitAr: 'كرتون',
  unitsPerInventoryUnit: 24,
  bottle: null,
  ...about,
})

it('the lowest price per litre is a fact of one product, and of none where two share it or only one has a price', () => {
  expect([...cardFacts([productOf(1), productOf(2, { price: 1.1 })])]).toEqual([[2, 'bestPrice']])
  expect([...cardFacts([productOf(1), productOf(2)])]).toEqual([])
  expect([...cardFacts([productOf(1), productOf(2, { size: 'large' })])]).toEqual([])
})

it('the most ordered product shows that alone, also if its litre costs least', () => {
  const products = [productOf(1), productOf(2, { price: 1.1, isMostOrdered: true })]
  expect([...cardFacts(products)]).toEqual([[2, 'mostOrdered']])
})

it('a gallon sold with its bottle names the price of its exchange, where the vendor has one', () => {
  const gallon = { size: '5 gallon', unitsPerInventoryUnit: 1 }
  const sold = productOf(1, { ...gallon, price: 3.3, inventoryUnit: 'With a new bottle', inventoryUnitAr: null })
  const swap = productOf(2, { ...gallon, price: 0.8, inventoryUnit: 'Swap for your empty', inventoryUnitAr: null })
  expect(nextPriceOf(sold, [sold, swap])).toBe(0.8)
  expect(nextPriceOf(sold, [sold])).toBeUndefined()
  expect(nextPriceOf(swap, [sold, swap])).toBeUndefined()
})
