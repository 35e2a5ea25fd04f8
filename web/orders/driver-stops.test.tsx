import { getOrder, getStopsLeft, listMyOrders, type Order } from '@qatra/contract/orders/orders'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, visit } from '../checkout/test-shop.tsx'
import { orderOf } from './test-order.ts'

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function openOrder(status: Order['status'], left: number, lang: 'ar' | 'en' = 'en') {
  const order = orderOf(status)
  const shop = openShop()
  shop.on(getOrder, () => order)
  shop.on(listMyOrders, () => ({ items: [order], page: 1, limit: 10, total: 1 }))
  shop.on(getStopsLeft, () => ({ left, done: 2, driverFirstName: 'بلال' }))
  await visit(`/orders/${order.id}`, lang)
  return shop
}

describe('the order page', () => {
  it.each([
    ['en', 0, 'You are the next stop'],
    ['en', 3, '3 stops left'],
    ['ar', 0, 'طلبك هو التالي'],
    ['ar', 1, 'بقيت محطة واحدة'],
    ['ar', 2, 'بقيت محطتان'],
    ['ar', 3, 'بقيت 3 محطات'],
    ['ar', 12, 'بقيت 12 محطة'],
  ] as const)('of an order on its way says in %s how many stops are before it: %i', async (lang, left, text) => {
    await openOrder('shipped', left, lang)
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByText('بلال')).toBeTruthy()
    expect(screen.getByText(lang === 'ar' ? 'سائق هيرات' : 'Driver of Hayrat')).toBeTruthy()
  })

  it('of an order that is not shipped neither asks for the stops nor shows a driver', async () => {
    const shop = await openOrder('in-progress', 3)
    expect(screen.getByRole('list', { name: 'Steps of the order' })).toBeTruthy()
    expect(shop.to(getStopsLeft)).toEqual([])
    expect(screen.queryByText('3 stops left')).toBeNull()
  })
})
