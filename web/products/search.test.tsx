import { emptyCart, getCart } from '@qatra/contract/cart/cart'
import { listProducts, type Product } from '@qatra/contract/products/products'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, visit } from '../checkout/test-shop.tsx'
// Loaded before the tests, which else wait for the chunk.
import './ProductSearch.tsx'
import './SearchResult.tsx'
import './product-search.ts'

const productOf = (id: number, vendorId: number, size: string, nameAr: string): Product => ({
  id,
  vendorId,
  name: `Water ${id}`,
  nameAr,
  description: null,
  descriptionAr: null,
  price: 1.2,
  size,
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})

async function home(path: string) {
  const shop = openShop()
  shop.on(getCart, () => emptyCart)
  shop.on(listProducts, () => [
    productOf(11, 1, '500ml', 'مياه هيرات'),
    productOf(12, 1, '1.5L', 'مياه هيرات الكبيرة'),
    productOf(21, 2, '500ml', 'مياه غيمة'),
  ])
  const visited = await visit(path)
  return { shop, ...visited, query: () => visited.router.state.location.searchStr }
}
const names = () => screen.queryAllByRole('article').map((card) => card.querySelector('h3 + p')?.textContent)
async function type(text: string) {
  const field = screen.getByRole('searchbox')
  await act(async () => {
    fireEvent.change(field, { target: { value: text } })
  })
}

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the search of the shop', () => {
  it('shows the products that fit, without a request, and stands in the address', async () => {
    const { shop, query } = await home('/?vendor=2&q=')
    const before = shop.to(listProducts).length
    await type('الكبيره')
    await vi.waitFor(() => expect(names()).toEqual(['Water 12']))
    expect(await screen.findByText('1 result')).toBeTruthy()
    await vi.waitFor(() => expect(new URLSearchParams(query()).get('q')).toBe('الكبيره'))
    expect(query()).not.toContain('vendor')
    expect(shop.to(listProducts)).toHaveLength(before)
  })

  it('works from the address, with a size in another spelling', async () => {
    await home(`/?q=${encodeURIComponent('0.5 لتر')}`)
    await vi.waitFor(() => expect(names()).toEqual(['Water 11', 'Water 21']))
  })

  it('shows the nearest where a letter is wrong, and says so', async () => {
    await home('/?q=')
    await type('هيارت')
    expect(await screen.findByText('No exact match. The nearest we found:')).toBeTruthy()
    expect(names()).toEqual(['Water 11', 'Water 12'])
  })

  it('offers sizes and vendors where nothing was found, and is cleared by its button', async () => {
    const { query } = await home('/?q=')
    await type('zzz')
    await vi.waitFor(() => expect(screen.getByText('Nothing matches your search')).toBeTruthy())
    const links = screen.getByRole('main').querySelectorAll('a')
    expect([...links].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['500 ml', '/?size=500ml'],
      ['1.5 L', '/?size=1.5L'],
      ['Hayrat', '/?vendor=1'],
      ['Ghaima', '/?vendor=2'],
      ['Show all products', '/'],
    ])
    fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
    await vi.waitFor(() => expect(names()).toHaveLength(3))
    await vi.waitFor(() => expect(query()).toBe('?q='))
  })
})

it('a product card shows the price of a litre', async () => {
  await home('/')
  const [first, second] = screen.getAllByRole('article')
  expect(first?.textContent).toContain('0.800/litre Best')
  expect(second?.textContent).toContain('2.400/litre')
})
