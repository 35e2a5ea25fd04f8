import type { OrderItem } from '@qatra/contract/orders/orders'
import { describe, expect, it } from 'vitest'
import { canDeliverPart, partOf } from './delivered-items.ts'

const item = (id: number, quantity: number, price: number): OrderItem => ({
  id,
  productId: id,
  name: `Water ${id}`,
  nameAr: null,
  size: '500ml',
  imageUrl: null,
  price,
  vatPercentage: 10,
  quantity,
  orderedQuantity: null,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
})
const orderOf = (...items: OrderItem[]) =>
  ({
    status: 'shipped',
    items,
    deliveryFee: 0.75,
    paymentMethod: 'cash',
    paymentStatus: 'pending',
    amountPaid: 0,
    customerName: 'Maryam',
  }) as const

describe('the part of an order that is handed over', () => {
  const order = orderOf(item(1, 5, 1.505), item(2, 1, 0.9))

  it('names only items that differ, with the total that the server computes', () => {
    expect(partOf(order, new Map([[1, 3]]))).toEqual({
      delivered: [{ itemId: 1, quantity: 3 }],
      total: 6.707,
      due: 6.707,
      isAll: false,
      isNothing: false,
    })
  })

  it('has due what was not paid at an earlier delivery, and no cash of an order that is paid otherwise', () => {
    expect(partOf({ ...order, amountPaid: 5 }, new Map([[1, 3]])).due).toBe(1.707)
    expect(partOf({ ...order, amountPaid: 7 }, new Map([[1, 3]])).due).toBe(0)
    expect(partOf({ ...order, paymentMethod: 'card' }, new Map([[1, 3]])).due).toBe(0)
  })

  it('is everything without a change, and nothing if all is 0', () => {
    expect(partOf(order, new Map([[1, 5]]))).toMatchObject({ delivered: [], isAll: true, isNothing: false })
    const none = partOf(
      order,
      new Map([
        [1, 0],
        [2, 0],
      ]),
    )
    expect(none).toMatchObject({ isAll: false, isNothing: true })
  })

  it('exists only of an unpaid order of several pieces', () => {
    expect(canDeliverPart(order)).toBe(true)
    expect(canDeliverPart({ ...order, paymentStatus: 'paid' })).toBe(false)
    expect(canDeliverPart(orderOf(item(1, 1, 2)))).toBe(false)
    expect(canDeliverPart(orderOf(item(1, 2, 2)))).toBe(true)
  })
})
