import { getOrder, listMyOrders, rescheduleOrder } from '@qatra/contract/orders/orders'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, refusal, visit } from '../../checkout/test-shop.tsx'
import { orderOf } from '../test-order.ts'

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  // jsdom knows the element but not how to open it.
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close = function () {
    this.removeAttribute('open')
  }
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const daysFrom = (first: number) =>
  [0, 1, 2].map((n) => ({ date: `2099-11-${first + n}`, windows: [], closedBefore: [] }))

async function openOrder() {
  const order = orderOf('new', '2099-11-22')
  order.can.reschedule = true
  const shop = openShop()
  shop.on(getOrder, () => order)
  shop.on(listMyOrders, () => ({ items: [order], page: 1, limit: 10, total: 1 }))
  shop.on(getDeliveryDays, () => daysFrom(22))
  await visit(`/orders/${order.id}`)
  return { shop, order }
}
const open = () => fireEvent.click(screen.getByRole('button', { name: 'Change the day' }))

describe('the dialog that moves an order', () => {
  it('asks for the open days each time that it opens', async () => {
    const { shop } = await openOrder()
    open()
    expect(await screen.findByRole('radio', { name: 'Sunday 22 November' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Keep the day' }))
    shop.on(getDeliveryDays, () => daysFrom(23))
    open()
    expect(await screen.findByRole('radio', { name: 'Wednesday 25 November' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('radio', { name: 'Sunday 22 November' })).toBeNull())
  })

  it.each([
    [{ mostMoves: 10 }, /changed too many times/],
    [{ status: 'shipped' }, /on its way, so its day cannot be changed/],
  ])('that is refused with %j says why', async (details, words) => {
    const { shop } = await openOrder()
    shop.on(rescheduleOrder, () => refusal('RESCHEDULE_CLOSED', details))
    open()
    fireEvent.click(await screen.findByRole('radio', { name: 'Monday 23 November' }))
    const dialog = within(screen.getByRole('dialog'))
    fireEvent.click(dialog.getByRole('button', { name: 'Change the day' }))
    expect(await dialog.findByText(words)).toBeTruthy()
  })
})
