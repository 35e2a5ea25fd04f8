import { addToCart, emptyCart, getCart, updateCartItem } from '@qatra/contract/cart/cart'
import { listProducts, type Product } from '@qatra/contract/products/products'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cartOf, openShop, visit } from '../checkout/test-shop.tsx'

/** Ids of the products whose cards were rendered, in order. */
const rendered: number[] = []
vi.mock('../catalogue/unit.ts', () => ({
  useKindText: () => (product: { id: number }) => {
    rendered.push(product.id)
    return ''
  },
}))

const productOf = (id: number): Product => ({
  id,
  vendorId: 1,
  name: `Water ${id}`,
  nameAr: null,
  description: null,
  descriptionAr: null,
  price: 1.5,
  size: '500ml',
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
  rendered.length = 0
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('adding a product renders no card, and the quantity of that product only', async () => {
  const shop = openShop()
  shop.on(getCart, () => emptyCart)
  shop.on(addToCart, () => cartOf(1.5))
  shop.on(listProducts, () => [11, 12, 13, 14, 15, 16].map(productOf))
  await visit('/?vendor=1')
  const names = screen.getAllByRole('article').map((card) => card.textContent)
  expect(names).toHaveLength(6)
  expect(new Set(rendered)).toEqual(new Set([11, 12, 13, 14, 15, 16]))

  rendered.length = 0
  const add = screen.getByRole('button', { name: /^Add .*Water 11/ })
  await act(async () => {
    fireEvent.click(add)
  })
  await vi.waitFor(() => expect(shop.to(addToCart)).toHaveLength(1))
  expect(rendered).toEqual([])
  const quantities = screen.getAllByRole('article').map((card) => card.querySelector('output')?.textContent)
  expect(quantities).toEqual(['4', '0', '0', '0', '0', '0'])
})

it('one press on a proposal reaches the minimum', async () => {
  const shop = openShop()
  shop.on(getCart, () => cartOf(1))
  shop.on(updateCartItem, () => cartOf(1.25, 4))
  shop.on(listProducts, () => [11, 12].map(productOf))
  await visit('/')
  const notice = await screen.findByText(/to reach Hayrat’s minimum/)
  const [first] = screen.getAllByRole('button', { name: /^Add · 1\.500/ })
  if (!first) throw new Error('There are proposals')
  await act(async () => {
    fireEvent.click(first)
  })
  await vi.waitFor(() => expect(notice.isConnected).toBe(false))
})

it('a product of another vendor, pressed before the page shows the first, asks instead of being added', async () => {
  const shop = openShop()
  shop.on(getCart, () => emptyCart)
  shop.on(addToCart, () => cartOf(1.5))
  shop.on(listProducts, () => [productOf(11), { ...productOf(12), vendorId: 2 }])
  await visit('/')
  await act(async () => {
    for (const id of [11, 12]) fireEvent.click(screen.getByRole('button', { name: new RegExp(`^Add .*Water ${id}`) }))
  })
  await screen.findByRole('dialog')
  expect(shop.to(addToCart).map(({ body }) => body)).toEqual([expect.objectContaining({ productId: 11 })])
})

it('the card of an exchange says so, with the deposit of the first bottle; one that is sold names none', async () => {
  const shop = openShop()
  shop.on(getCart, () => emptyCart)
  const gallon = { typeId: 1, name: 'Gallon', nameAr: null }
  shop.on(listProducts, () => [
    { ...productOf(11), size: '5 gallon', bottle: { ...gallon, terms: 'exchange' as const, deposit: 2.5 } },
    { ...productOf(12), size: '5 gallon', bottle: { ...gallon, terms: 'sold' as const, deposit: 0 } },
  ])
  await visit('/?vendor=1')
  const [exchange = '', sold = ''] = screen.getAllByRole('article').map(({ textContent }) => textContent)
  expect(exchange).toMatch(/5 gallon exchange.*Bottle deposit BHD\s2\.500/)
  expect(sold).toMatch(/5 gallon \+ bottle/)
  expect(sold).not.toContain('deposit')
})
