import { describe, expect, it } from 'vitest'
import { type SwapItem, type SwapProduct, swapsFor } from './swap.ts'

const product = (id: number, vendorId: number, size: string, price = 1, more: Partial<SwapProduct> = {}) => ({
  id,
  vendorId,
  name: `Water ${id}`,
  nameAr: null,
  size,
  price,
  vatPercentage: 0,
  unitsPerInventoryUnit: 24,
  ...more,
})
const item = (
  productId: number,
  size: string,
  quantity: number,
  price = 1,
  more: Partial<SwapItem> = {},
): SwapItem => ({
  ...product(productId, 1, size, price),
  productId,
  quantity,
  ...more,
})
const vendor = (id: number, deliveryFee = 0.5) => ({ id, deliveryFee, minDeliveryAmount: 5 })
const linesOf = (items: SwapItem[], products: SwapProduct[]) =>
  swapsFor(items, products, [vendor(2)])[0]?.lines.map(({ product: one, isOtherSize }) => [
    one?.id ?? null,
    isOtherSize,
  ])

describe('a line of a swapped cart', () => {
  it('becomes the product of the same size, however the size is written', () => {
    expect(linesOf([item(1, '1.5L', 2)], [product(21, 2, '500ml'), product(22, 2, '1500 مل')])).toEqual([[22, false]])
  })

  it('prefers the same number of pieces, then the nearest price', () => {
    const products = [
      product(21, 2, '500ml', 1, { unitsPerInventoryUnit: 12 }),
      product(22, 2, '500ml', 3),
      product(23, 2, '500ml', 1.2),
    ]
    expect(linesOf([item(1, '500ml', 2, 1)], products)).toEqual([[23, false]])
  })

  it('is marked if only another number of pieces or a similar volume is there', () => {
    const dozen = product(21, 2, '500ml', 1, { unitsPerInventoryUnit: 12 })
    expect(linesOf([item(1, '500ml', 2)], [dozen])).toEqual([[21, true]])
    expect(linesOf([item(1, '500ml', 2)], [product(22, 2, '330ml')])).toEqual([[22, true]])
  })

  it('has no replacement if all volumes are very different or unknown', () => {
    const products = [product(21, 2, '500ml'), product(22, 2, 'large')]
    expect(linesOf([item(1, '500ml', 1), item(2, '5 gallon', 3)], products)).toEqual([
      [21, false],
      [null, false],
    ])
  })
})

describe('the swapped cart', () => {
  it('adds up lines that become the same product, to 100 at most, and says so', () => {
    const items = [item(1, '500ml', 60), item(2, '500ml', 30)]
    const [swap] = swapsFor(items, [product(21, 2, '500ml')], [vendor(2)])
    expect([...(swap?.quantities ?? [])]).toEqual([[21, 90]])
    expect(swap?.isLimited).toBe(false)
    const [more] = swapsFor([...items, item(3, '500ml', 11)], [product(21, 2, '500ml')], [vendor(2)])
    expect([...(more?.quantities ?? [])]).toEqual([[21, 100]])
    expect(more?.isLimited).toBe(true)
  })

  it('has the sums of the new products with VAT and the fee of the new vendor', () => {
    const products = [product(21, 2, '500ml', 1.505, { vatPercentage: 10 })]
    const [swap] = swapsFor([item(1, '500ml', 3, 9)], products, [vendor(2, 0.75)])
    expect([swap?.subtotal, swap?.total]).toEqual([4515, 4515 + 452 + 750])
  })
})

describe('the total of a swap with bottles that come back', () => {
  const bottle = { typeId: 7, terms: 'exchange' as const, deposit: 2 }
  const products = [product(21, 2, '5 gallon', 1, { bottle })]
  const totalWith = (free: Record<number, number>) =>
    swapsFor([item(1, '5 gallon', 3)], products, [vendor(2)], free)[0]?.total

  it('has the deposit of those that the customer does not have of the new vendor', () => {
    expect([totalWith({}), totalWith({ 8: 3 }), totalWith({ 7: 2 }), totalWith({ 7: 9 })]).toEqual([
      9500, 9500, 5500, 3500,
    ])
  })
})

describe('the vendors of a swap', () => {
  it('are ordered by the lines they have, then by equal sizes, then as they deliver; those with none are left out', () => {
    const items = [item(1, '500ml', 1), item(2, '5 gallon', 1)]
    const products = [
      product(21, 2, '500ml'),
      product(31, 3, '330ml'),
      product(32, 3, '5 gallon'),
      product(41, 4, '500ml'),
      product(42, 4, '5 gallon'),
      product(51, 5, '200ml'),
      product(61, 6, '500ml'),
    ]
    const swaps = swapsFor(
      items,
      products,
      [6, 2, 3, 4, 5].map((id) => vendor(id)),
    )
    expect(swaps.map((swap) => swap.vendor.id)).toEqual([4, 3, 6, 2])
  })
})
