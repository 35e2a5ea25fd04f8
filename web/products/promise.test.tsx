import { emptyCart, getCart } from '@qatra/contract/cart/cart'
import { listProducts, type Product } from '@qatra/contract/products/products'
import { getMe } from '@qatra/contract/users/auth'
import { listVendors, type Vendor } from '@qatra/contract/vendors/vendors'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noora, openShop, refusal, vendorOf, visit } from '../checkout/test-shop.tsx'

const productOf = (id: number, vendorId: number, size: string): Product => ({
  id,
  vendorId,
  name: `Water ${id}`,
  nameAr: null,
  description: null,
  descriptionAr: null,
  price: 1.5,
  size,
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})
/** Vendor 1 sells 500 ml and 1.5 L, vendor 2 only 500 ml. */
const products = [productOf(11, 1, '500ml'), productOf(12, 1, '1.5L'), productOf(21, 2, '500ml')]

async function home(path: string, first: Partial<Vendor>, second: Partial<Vendor>, returning = false) {
  const shop = openShop()
  shop.on(getCart, () => emptyCart)
  shop.on(getMe, () => (returning ? noora : refusal('SIGNED_OUT')))
  shop.on(listProducts, () => products)
  shop.on(listVendors, () => [
    { ...vendorOf(1, 'Hayrat', 'هيرات'), ...first },
    { ...vendorOf(2, 'Ghaima', 'غيمة'), ...second },
  ])
  await visit(path)
  const heading = screen.getByRole('heading', { level: 1 })
  const days = screen.queryAllByText(/^Arrives/).map((one) => one.textContent)
  return { promise: heading.textContent, fee: heading.parentElement?.querySelector('p')?.textContent.trim(), days }
}

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('delivery promise of the home page', () => {
  it('is the day on which every shown vendor delivers', async () => {
    const same = { promisedDate: '2026-11-24' }
    const { promise, days } = await home('/', same, same)
    expect(promise).toBe('Order now, here on Tuesday 24 November')
    expect(days).toEqual([])
  })

  it('is one line with the fee for people who return', async () => {
    const same = { promisedDate: '2026-11-24', deliveryFee: 0 }
    const { promise } = await home('/', same, same, true)
    expect(promise).toBe('here on Tuesday 24 November')
    expect(screen.getByRole('heading', { level: 1 }).parentElement?.textContent).toContain('Free delivery')
  })

  it('is the later day if one vendor is past its cut-off, and each vendor shows its own day', async () => {
    const { promise, days } = await home('/', { promisedDate: '2026-11-24' }, { promisedDate: '2026-11-25' })
    expect(promise).toBe('Order now, here by Wednesday 25 November')
    expect(days).toEqual(['Arrives Tue 24 Nov', 'Arrives Wed 25 Nov'])
  })

  it('names no day if one vendor is closed for a week', async () => {
    const { promise } = await home('/', { promisedDate: '2026-11-24' }, { promisedDate: '2026-12-01' })
    expect(promise).toBe('Order now, brought to your door')
  })

  it('ignores vendors that the filter hides', async () => {
    const [first, second] = [{ promisedDate: '2026-11-24' }, { promisedDate: '2026-11-25' }]
    expect((await home('/?size=1.5L', first, second)).promise).toBe('Order now, here on Tuesday 24 November')
    cleanup()
    expect((await home('/?vendor=2', first, second)).promise).toBe('Order now, here on Wednesday 25 November')
  })
})

describe('delivery fee on the home page', () => {
  it.each([
    ['/', 0, 0, 'Free delivery'],
    ['/', 0, 1, 'Delivery up to BHD\u00a01.000'],
    ['/', 0.5, 1, 'Delivery up to BHD\u00a01.000'],
    ['/', 1, 1, 'Delivery BHD\u00a01.000'],
    ['/?vendor=1', 0, 1, 'Free delivery from Hayrat'],
    ['/?size=1.5L', 0, 1, 'Free delivery from Hayrat'],
    ['/?vendor=2', 0, 1, 'Delivery BHD\u00a01.000'],
  ])('is shown at %s with fees of %s and %s as %s', async (path, one, other, words) => {
    const { fee } = await home(path, { deliveryFee: one }, { deliveryFee: other })
    expect(fee).toBe(`${words} Cash on delivery`)
  })
})
