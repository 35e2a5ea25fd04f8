import { getOrder, listMyOrders, type Order, rateOrder } from '@qatra/contract/orders/orders'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, visit } from '../checkout/test-shop.tsx'
import { orderOf } from './test-order.ts'

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function openOrder(more: Partial<Order>, lang: 'ar' | 'en' = 'en') {
  const made = orderOf('delivered')
  const order = { ...made, can: { ...made.can, rate: true }, ...more }
  const shop = openShop()
  shop.on(getOrder, () => order)
  shop.on(listMyOrders, () => ({ items: [order], page: 1, limit: 10, total: 1 }))
  return { order, shop, open: () => visit(`/orders/${order.id}`, lang) }
}
const choice = async (part: string, word: string) =>
  within(await screen.findByRole('group', { name: part })).getByRole('button', { name: word })
const isChosen = (button: HTMLElement) => button.getAttribute('aria-pressed') === 'true'

describe('the rating of a delivery', () => {
  it('is sent with each tap, and the last tap counts', async () => {
    const { order, shop, open } = openOrder({})
    const bodies: unknown[] = []
    shop.on(rateOrder, ({ body }) => {
      bodies.push(body)
      return { ...order, rating: { water: null, driver: null, at: order.createdAt, ...(body as object) } }
    })
    await open()
    fireEvent.click(await choice('Water', 'Bad'))
    fireEvent.click(await choice('Water', 'Good'))
    fireEvent.click(await choice('Driver', 'Fair'))
    await waitFor(() => expect(bodies).toEqual([{ water: 'bad' }, { water: 'good' }, { driver: 'fair' }]))
    expect(isChosen(await choice('Water', 'Good'))).toBe(true)
    expect(isChosen(await choice('Water', 'Bad'))).toBe(false)
    expect(isChosen(await choice('Driver', 'Fair'))).toBe(true)
    expect(screen.getByText(/we have noted it/)).toBeTruthy()
  })

  it('that does not arrive is taken back with a reason', async () => {
    const { shop, open } = openOrder({}, 'ar')
    shop.on(rateOrder, () => {
      throw new TypeError('Failed to fetch')
    })
    await open()
    fireEvent.click(await choice('الماء', 'ما عجبني'))
    expect(await screen.findByText(/فلم يُحفظ رأيك/)).toBeTruthy()
    expect(isChosen(await choice('الماء', 'ما عجبني'))).toBe(false)
  })

  it('is shown in words when it can no longer be changed, and not asked of an order on its way', async () => {
    const made = orderOf('delivered')
    const { open } = openOrder({ can: made.can, rating: { water: 'good', driver: null, at: made.createdAt } })
    await open()
    const water = await screen.findByRole('group', { name: 'Water' })
    expect([water.textContent, within(water).queryAllByRole('button')]).toEqual(['WaterGood', []])
    cleanup()
    await openOrder({ status: 'shipped' }).open()
    expect(await screen.findByRole('list', { name: 'Steps of the order' })).toBeTruthy()
    expect(screen.queryByText('How was the delivery?')).toBeNull()
  })
})
