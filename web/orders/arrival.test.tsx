import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { getOrder, listMyOrders, type Order } from '@qatra/contract/orders/orders'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, visit } from '../checkout/test-shop.tsx'
import { orderOf } from './test-order.ts'

function shopWith(order: Order) {
  const shop = openShop()
  shop.on(getOrder, () => order)
  shop.on(listMyOrders, () => ({ items: [order], page: 1, limit: 10, total: 1 }))
}
async function openPage(order: Order, lang: 'ar' | 'en' = 'en') {
  shopWith(order)
  await visit(`/orders/${order.id}`, lang)
}
async function cardOf(order: Order) {
  shopWith(order)
  await visit('/orders')
  return screen.getByRole('article').textContent
}
const dayFromToday = (days: number) => addDays(bahrainDate(new Date()), days)
const lastStep = () => screen.getByRole('list', { name: 'Steps of the order' }).lastElementChild?.textContent

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the page of an open order', () => {
  it('says that the order is late once its day is over, in headline and steps', async () => {
    await openPage(orderOf('in-progress', dayFromToday(-1)))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Late: it was due')
    expect(lastStep()).toBe('DeliveredNot here yet')
  })

  it('says so in Arabic', async () => {
    await openPage(orderOf('shipped', dayFromToday(-1)), 'ar')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('تأخّر عن موعده')
  })

  it('names the day on the day itself and before it', async () => {
    await openPage(orderOf('in-progress', dayFromToday(0)))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Arrives today')
    expect(lastStep()).not.toContain('Not here yet')
  })

  it('says when a delivered order came, whatever its promised day was', async () => {
    await openPage(orderOf('delivered', dayFromToday(-1)))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Delivered/)
  })
})

describe('the list of orders', () => {
  it('says when an open order arrives, or that it is late', async () => {
    expect(await cardOf(orderOf('new', '2099-11-22'))).toContain('Arrives Sunday 22 November')
    cleanup()
    expect(await cardOf(orderOf('new', dayFromToday(-1)))).toContain('Late: it was due')
  })

  it('names the former day of an order that was moved', async () => {
    expect(await cardOf({ ...orderOf('new', '2099-11-24'), movedFrom: '2099-11-22' })).toContain(
      'Arrives Tuesday 24 November Before: Sunday 22 November',
    )
  })

  it('says that an order was moved because its day is closed', async () => {
    const order = { ...orderOf('new', '2099-11-24'), movedFrom: '2099-11-22', movedByClosure: true }
    const text = 'No delivery on Sunday 22 November, so your order moved to Tuesday 24 November.'
    expect(await cardOf(order)).toContain(text)
    cleanup()
    await openPage(order)
    expect(screen.getByText(text)).toBeTruthy()
    cleanup()
    expect(await cardOf({ ...order, promisedDate: '2099-11-22' })).not.toContain('No delivery on')
  })

  it('says nothing of the promised day once the order is closed', async () => {
    expect(await cardOf(orderOf('delivered', '2099-11-22'))).not.toContain('22 November')
  })
})
