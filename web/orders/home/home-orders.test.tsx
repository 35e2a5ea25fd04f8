import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { addToCart, type Cart, emptyCart, getCart } from '@qatra/contract/cart/cart'
import { listMyOrders, type Order } from '@qatra/contract/orders/orders'
import { listProducts, type Product } from '@qatra/contract/products/products'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cartOf, openShop, visit } from '../../checkout/test-shop.tsx'
import { orderOf } from '../test-order.ts'

const product: Product = {
  id: 11,
  vendorId: 1,
  name: 'Hayrat water',
  nameAr: 'مياه هيرات',
  description: null,
  descriptionAr: null,
  price: 1.5,
  size: '330ml',
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
}

async function home(orders: Order[], lang: 'ar' | 'en' = 'en', { cart = emptyCart, of = product } = {}) {
  const shop = openShop()
  shop.on(getCart, () => cart)
  shop.on(addToCart, () => cartOf(1.5))
  shop.on(listProducts, () => [of])
  shop.on(listMyOrders, () => ({ items: orders, page: 1, limit: 10, total: orders.length }))
  await visit('/', lang)
  return shop
}

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the open order on the home page', () => {
  it('is the one that arrives first, with a count of the others', async () => {
    await home([orderOf('new', '2099-11-25'), orderOf('shipped', '2099-11-22'), orderOf('in-progress', '2099-11-24')])
    const card = screen.getByRole('region', { name: 'Your order is on its way' })
    expect(card.textContent).toContain('Arrives Sunday 22 November')
    expect(card.textContent).toContain('In progress')
    expect(screen.getByText('and 2 more orders').getAttribute('href')).toBe('/orders')
  })

  it('counts the others in Arabic', async () => {
    await home([orderOf('new'), orderOf('new'), orderOf('new')], 'ar')
    expect(screen.getByText('وطلبان آخران')).toBeTruthy()
  })

  it.each([
    [0, 'Arrives today'],
    [-1, 'Late: it was due'],
    [1, 'Arrives tomorrow,'],
  ])('%d days from today says "%s"', async (days, words) => {
    await home([orderOf('shipped', bahrainDate(new Date(Date.now() + days * 86_400_000)))])
    expect(screen.getByRole('region', { name: 'Your order is on its way' }).textContent).toContain(words)
  })

  it('is missing if all orders are delivered or cancelled', async () => {
    await home([orderOf('delivered'), orderOf('cancelled')])
    expect(screen.queryByText('In progress')).toBeNull()
    expect(screen.getByText('Order like last time')).toBeTruthy()
  })
})

describe('the usual order', () => {
  it('is added with one tap, in the quantity of the newest order, and then shown as added', async () => {
    const shop = await home([orderOf('delivered', '2026-01-02', 3), orderOf('delivered', '2026-01-01', 4)])
    expect(screen.getByText('3 pieces')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /^Add · 5\.000\s+Your usual/ }))
    await vi.waitFor(() => expect(shop.to(addToCart)).toHaveLength(1))
    expect(shop.to(addToCart)[0]?.body).toMatchObject({ productId: 11, quantity: 3 })
    await vi.waitFor(() => expect(screen.getByText('In your cart')).toBeTruthy())
  })

  it('says what the cart with it costs, with VAT, fee and the deposit of bottles that the customer does not have', async () => {
    const bottle = { typeId: 7, terms: 'exchange' as const, name: 'Gallon', nameAr: null, deposit: 2 }
    const of = { ...product, bottle, vatPercentage: 10 }
    const orders = [orderOf('delivered'), orderOf('delivered')]
    const shop = await home(orders, 'en', { cart: { ...emptyCart, free: { 7: 1 } }, of })
    // 4 × 1.500 + 0.600 + 0.500, and 2.000 for each of three bottles.
    expect(screen.getByText(/^Deposit .BHD.6\.000. · 4 pieces$/)).toBeTruthy()
    let answer: (cart: Cart) => void = () => undefined
    shop.on(addToCart, () => new Promise<Cart>((resolve) => (answer = resolve)))
    fireEvent.click(screen.getByRole('button', { name: /^Add · 13\.100\s+Your usual/ }))
    // Before the server answers, and without a look into the cart.
    expect(await screen.findByText(/^Checkout · 13\.100$/)).toBeTruthy()
    answer(cartOf(1.5))
    await screen.findByText('In your cart')
    cleanup()
    const more = { ...cartOf(1.5), free: { 7: 9 }, items: [] }
    await home(orders, 'en', { cart: { ...more, vendorId: 2 }, of })
    expect(screen.getByRole('button', { name: /^Add · 7\.100\s+Your usual/ })).toBeTruthy()
    expect(screen.getByText('4 pieces')).toBeTruthy()
  })

  it('is missing after one order, where the last order is offered', async () => {
    await home([orderOf('delivered')])
    expect(screen.queryByText('Your usual')).toBeNull()
    expect(screen.getByRole('button', { name: 'Order again' })).toBeTruthy()
    expect(screen.getByText('4 × Hayrat water 330 ml')).toBeTruthy()
  })

  it('is the last order of a customer without a habit, also before its delivery', async () => {
    const shop = await home([orderOf('cancelled'), orderOf('new')])
    expect(screen.queryByText('Your usual')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /^Add · 6\.500\s+Order like last time/ }))
    await vi.waitFor(() => expect(shop.to(addToCart)).toHaveLength(1))
    expect(shop.to(addToCart)[0]?.body).toMatchObject({ productId: 11, quantity: 4 })
  })

  it.each([
    ['ar', '4 كراتين × 24 · مياه هيرات 500 مل'],
    ['en', '4 cartons of 24 · Hayrat water 500 ml'],
  ] as const)('says in %s the counted units of the last order', async (lang, text) => {
    const order = orderOf('delivered')
    const unit = { size: '500ml', inventoryUnit: 'Carton', inventoryUnitAr: 'كرتون', unitsPerInventoryUnit: 24 }
    await home([{ ...order, items: order.items.map((item) => ({ ...item, ...unit })) }], lang)
    expect(screen.getByText(text)).toBeTruthy()
  })
})
