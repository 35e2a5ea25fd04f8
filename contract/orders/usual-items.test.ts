import { describe, expect, it } from 'vitest'
import { usualItems } from './usual-items.ts'

type Items = Record<number, number>
const orderOf = (items: Items, vendorId = 1, status: 'delivered' | 'new' | 'cancelled' = 'delivered') => ({
  vendorId,
  status,
  items: Object.entries(items).map(([id, quantity]) => ({
    productId: Number(id),
    quantity,
    orderedQuantity: null as number | null,
  })),
})
const usual = (...orders: ReturnType<typeof orderOf>[]) =>
  Object.fromEntries(usualItems(orders).map(({ productId, quantity }) => [productId, quantity]))

describe('usual items', () => {
  it('are the products of two of the last five orders, in the newest quantity', () => {
    expect(usual(orderOf({ 1: 4, 2: 3 }), orderOf({ 3: 1 }), orderOf({ 1: 2, 3: 5 }))).toEqual({ 1: 4, 3: 1 })
  })

  it('have the ordered quantity of an order that was delivered in part', () => {
    const partly = { ...orderOf({}), items: [{ productId: 1, quantity: 0, orderedQuantity: 4 }] }
    expect(usual(partly, orderOf({ 1: 2 }))).toEqual({ 1: 4 })
    const added = { ...orderOf({}), items: [{ productId: 1, quantity: 3, orderedQuantity: 0 }] }
    expect(usual(added, orderOf({ 1: 2 }))).toEqual({ 1: 3 })
  })

  it('are none for one order, or for orders without a common product', () => {
    expect(usual()).toEqual({})
    expect(usual(orderOf({ 1: 4 }))).toEqual({})
    expect(usual(orderOf({ 1: 4 }), orderOf({ 2: 4 }), orderOf({ 3: 4 }))).toEqual({})
  })

  it('leave out a product whose second order is the sixth', () => {
    const other = (id: number) => orderOf({ [id]: 1 })
    expect(usual(orderOf({ 1: 4 }), other(2), other(3), other(4), other(5), orderOf({ 1: 4 }))).toEqual({})
    expect(usual(orderOf({ 1: 4 }), other(2), other(3), other(4), orderOf({ 1: 4 }))).toEqual({ 1: 4 })
  })

  it('leave out cancelled orders, which do not count among the five', () => {
    const cancelled = orderOf({ 9: 1 }, 1, 'cancelled')
    expect(usual(cancelled, cancelled)).toEqual({})
    expect(usual(cancelled, orderOf({ 1: 4 }), cancelled, cancelled, cancelled, orderOf({ 1: 2 }))).toEqual({ 1: 4 })
  })

  it('are of one vendor: that of the newest order with a usual product', () => {
    const [first, second] = [orderOf({ 1: 4 }, 1), orderOf({ 2: 3 }, 2)]
    expect(usual(orderOf({ 7: 1 }, 3), second, first, second, first)).toEqual({ 2: 3 })
  })

  it('leave out products that were deleted permanently', () => {
    const order = {
      vendorId: 1,
      status: 'delivered' as const,
      items: [{ productId: null, quantity: 2, orderedQuantity: null }],
    }
    expect(usualItems([order, order])).toEqual([])
  })
})
