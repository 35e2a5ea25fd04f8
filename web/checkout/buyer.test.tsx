import { getCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cartOf, noora, openShop, refusal, stubScreen, visit } from './test-shop.tsx'

vi.mock('../map/PickerMap.tsx', () => ({ PickerMap: () => null }))

beforeEach(() => {
  stubScreen()
  HTMLElement.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const button = () => screen.getByRole('button', { name: /^Place order.*BHD/ })
const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}`))

async function open(user: Partial<typeof noora>, price: number) {
  const shop = openShop({ ...noora, ...user })
  shop.on(getCart, () => cartOf(price))
  // What is sent is the subject, not the answer.
  shop.on(placeOrder, () => refusal('CART_EMPTY'))
  await visit('/checkout')
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBeNull())
  return shop
}

describe('a company', () => {
  it('is asked about where the account has one, with its facts filled in and sent', async () => {
    const shop = await open({ companyName: 'Delmon Trading' }, 1.5)
    fireEvent.change(field('VAT number'), { target: { value: '2200 0441 8700 002' } })
    fireEvent.change(field('PO number'), { target: { value: 'PO-17' } })
    fireEvent.click(button())
    await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
    expect(shop.to(placeOrder)[0]?.body).toMatchObject({
      companyName: 'Delmon Trading',
      vatNumber: '2200 0441 8700 002',
      poNumber: 'PO-17',
      branch: null,
    })
  })

  it('is asked about from 20 dinars', async () => {
    await open({}, 1.5)
    expect(screen.queryByText('Order for a company')).toBeNull()
    cleanup()
    await open({}, 10)
    expect(screen.getByText('Order for a company')).toBeTruthy()
  })

  it('sees an incomplete VAT number at its field, and nothing is sent', async () => {
    const shop = await open({}, 10)
    fireEvent.change(field('VAT number'), { target: { value: '2200' } })
    fireEvent.click(button())
    expect(await screen.findByText('The number is incomplete: 15 digits')).toBeTruthy()
    expect(screen.getByText('Order for a company').closest('details')?.open).toBe(true)
    expect(shop.to(placeOrder)).toEqual([])
  })
})

describe('change', () => {
  it('is chosen by the notes with which the total can be paid, and sent', async () => {
    const shop = await open({}, 1.5)
    const sums = screen.getAllByRole('button', { name: /^From/ }).map(({ textContent }) => textContent)
    expect(sums).toEqual(['From 10', 'From 20'])
    fireEvent.click(screen.getByRole('button', { name: 'From 20' }))
    expect(screen.getByText('The driver brings BHD 13.500 change.')).toBeTruthy()
    fireEvent.click(button())
    await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
    expect(shop.to(placeOrder)[0]?.body).toMatchObject({ payingWith: 20 })
  })
})
