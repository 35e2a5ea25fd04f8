import type { OrderItem } from '@qatra/contract/orders/orders'
import { describe, expect, it } from 'vitest'
import { deliveryOf } from './delivered-items.ts'

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
  bottleTypeId: null,
  bottleTerms: null,
  bottleDeposit: null,
  empties: null,
  orderedEmpties: null,
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

describe('what is handed over of an order', () => {
  const order = orderOf(item(1, 5, 1.505), item(2, 1, 0.9))
  const products = [item(1, 0, 2), item(3, 0, 0.5)].map((product) => ({ ...product, vendorId: 1, bottle: null }))
  const of = (items: [number, number][], van: [number, number][] = [], one: Parameters<typeof deliveryOf>[0] = order) =>
    deliveryOf(one, products, { items: new Map(items), van: new Map(van) })

  it('names only what differs, with the total that the server computes', () => {
    const { leftFor, ...delivery } = of([[1, 3]])
    expect(leftFor(item(1, 3, 1.505))).toBeNull()
    expect(delivery).toMatchObject({
      report: { delivered: [{ itemId: 1, quantity: 3 }] },
      total: 6.707,
      deposit: 0,
      bottles: [],
      due: 6.707,
      owed: 0,
      isAll: false,
      isNothing: false,
    })
  })

  it('can be more, at the order’s price, and other products at today’s', () => {
    // 7 × 1.505 with VAT 1.054, 0.900 with 0.090, 2 × 0.500 with 0.100, fee 0.750.
    expect(of([[1, 7]], [[3, 2]])).toMatchObject({
      report: { delivered: [{ itemId: 1, quantity: 7 }], added: [{ productId: 3, quantity: 2 }] },
      total: 14.429,
    })
    // An ordered product is no other one.
    expect(of([], [[1, 2]])).toMatchObject({ report: {}, isAll: true })
  })

  it('has due what was not paid at an earlier delivery, and no cash of an order that is paid otherwise', () => {
    expect(of([[1, 3]], [], { ...order, amountPaid: 5 }).due).toBe(1.707)
    expect(of([[1, 3]], [], { ...order, amountPaid: 7 }).due).toBe(0)
    expect(of([[1, 3]], [], { ...order, paymentMethod: 'card' }).due).toBe(0)
  })

  it('is everything without a change, and nothing if all is 0', () => {
    expect(of([[1, 5]])).toMatchObject({ report: {}, isAll: true, isNothing: false })
    const none: [number, number][] = [
      [1, 0],
      [2, 0],
    ]
    expect(of(none)).toMatchObject({ isAll: false, isNothing: true })
    expect(of(none, [[3, 1]])).toMatchObject({ isNothing: false })
  })

  it('of a paid order is due for what is more, and owed back for what is less', () => {
    const paid = { ...order, paymentStatus: 'paid', amountPaid: 10.018 } as const
    expect(of([[1, 6]], [], paid)).toMatchObject({ due: 1.655, owed: 0 })
    expect(of([[1, 4]], [], paid)).toMatchObject({ due: 0, owed: 1.656 })
  })
})
