import type { Order } from '@qatra/contract/orders/orders'
import type { Product } from '@qatra/contract/products/products'
import { describe, expect, it } from 'vitest'
import { rowsOf, sumsOf } from './edited-items.ts'

type Item = Order['items'][number]
const item = (productId: number | null, quantity: number, price: number): Item => ({
  id: quantity,
  productId,
  name: `Water ${productId}`,
  nameAr: null,
  size: '500ml',
  imageUrl: null,
  price,
  vatPercentage: 10,
  quantity,
  orderedQuantity: null,
  bottleTypeId: null,
  bottleTerms: null,
  bottleDeposit: null,
  empties: null,
  orderedEmpties: null,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
})
const product = (id: number, price: number, vendorId = 1): Product => ({
  id,
  vendorId,
  name: `Water ${id}`,
  nameAr: null,
  description: null,
  descriptionAr: null,
  price,
  size: '500ml',
  imageUrl: null,
  vatPercentage: 10,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})
const orderOf = (...items: Item[]) => {
  const subtotal = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  return { vendorId: 1, items, subtotal, deliveryFee: 0.5, total: Math.round(subtotal * 1100 + 500) / 1000 }
}

describe('rows of the dialog', () => {
  it('show ordered items at their own price, then other products of the vendor', () => {
    const order = orderOf(item(1, 3, 2))
    const rows = rowsOf(order, [product(1, 9), product(2, 1), product(3, 1, 2)], new Map([[2, 4]]))
    expect(rows.map(({ productId, price, ordered, quantity }) => [productId, price, ordered, quantity])).toEqual([
      [1, 2, 3, 3],
      [2, 1, 0, 4],
    ])
  })

  it('limit a product that is no longer sold to the ordered quantity', () => {
    expect(rowsOf(orderOf(item(1, 3, 2)), [], new Map()).map(({ max }) => max)).toEqual([3])
  })

  it('limit no product while the products of the vendor load', () => {
    expect(rowsOf(orderOf(item(1, 3, 2)), undefined, new Map()).map(({ max }) => max)).toEqual([100])
  })
})

describe('sums of the dialog', () => {
  it('show the new total and the difference', () => {
    const order = orderOf(item(1, 3, 2))
    const sums = sumsOf(order, rowsOf(order, [product(1, 2), product(2, 1)], new Map([[1, 4]])), 5)
    expect(sums).toMatchObject({ total: 9.3, difference: 2.2, missing: 0, isEmpty: false, isChanged: true })
    expect(sums.totals.total).toBe(9.3)
  })

  it('measure the minimum by the order if it was below the vendor’s', () => {
    const order = orderOf(item(1, 2, 2))
    const missing = (quantity: number, minimum: number) =>
      sumsOf(order, rowsOf(order, [product(1, 2)], new Map([[1, quantity]])), minimum).missing
    expect([missing(1, 3), missing(1, 9), missing(2, 9)]).toEqual([1, 2, 0])
  })

  it('include items of deleted products, which stay', () => {
    const order = orderOf(item(null, 2, 2), item(1, 1, 1))
    const sums = sumsOf(order, rowsOf(order, [product(1, 1)], new Map([[1, 0]])), 0)
    expect([sums.total, sums.isEmpty]).toEqual([4.9, false])
  })
})
