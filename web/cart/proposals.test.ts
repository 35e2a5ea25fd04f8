import { fils } from '@qatra/contract/lib/money'
import { expect, it } from 'vitest'
import { proposalsFor } from './proposals.ts'

const productOf = (id: number, price: number, vendorId = 1) => ({ id, price, vendorId })
const of = (items: [productId: number, quantity: number][] = []) => ({
  vendorId: 1,
  items: items.map(([productId, quantity]) => ({ productId, quantity })),
})
const shown = (found: ReturnType<typeof proposalsFor>) =>
  found.map(({ product, count, amount }) => [product.id, count, amount])

it('each proposal is enough by itself; the cheapest is first, and at most three of the cart’s vendor are made', () => {
  const products = [productOf(1, 1.35), productOf(2, 0.95), productOf(3, 0.8), productOf(4, 3.3), productOf(5, 1.8, 2)]
  expect(shown(proposalsFor(of(), products, fils(1800)))).toEqual([
    [2, 2, 1900],
    [3, 3, 2400],
    [1, 2, 2700],
  ])
})

it('of two that cost the same, the one with fewer pieces is first', () => {
  expect(shown(proposalsFor(of(), [productOf(1, 0.5), productOf(2, 1)], fils(1000)))).toEqual([
    [2, 1, 1000],
    [1, 2, 1000],
  ])
})

it('many pieces are proposed only where nothing else is enough, and never more than the limit of a product', () => {
  const [cheap, dear] = [productOf(1, 0.1), productOf(2, 4)]
  expect(shown(proposalsFor(of(), [cheap, dear], fils(1500)))).toEqual([[2, 1, 4000]])
  expect(shown(proposalsFor(of(), [cheap], fils(1500)))).toEqual([[1, 15, 1500]])
  expect(proposalsFor(of([[1, 90]]), [cheap], fils(1500))).toEqual([])
  expect(proposalsFor(of(), [cheap, dear], fils(0))).toEqual([])
})
