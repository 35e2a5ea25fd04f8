import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { getDeliveryDays, listVendors, type UnavailableDay } from '@qatra/contract/vendors/vendors'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noteServerTime } from '../lib/server-clock.ts'
import { dismissToast } from '../ui/Toast.tsx'
import { type FakeShop, openDays, openShop, refusal, stubScreen, vendorOf, visit } from './test-shop.tsx'

vi.mock('../map/PickerMap.tsx', () => ({ PickerMap: () => null }))

beforeEach(() => {
  stubScreen()
  HTMLElement.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  dismissToast()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const place = async () => {
  const button = screen.getByRole('button', { name: /^(Place order|Try again).*BHD/ })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(button)
}
const day = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const sentDays = (shop: FakeShop) =>
  shop.to(placeOrder).map(({ body }) => {
    const { deliveryDate, expectedDate } = body as Record<string, string>
    return { deliveryDate, expectedDate }
  })
const placedOn = (promisedDate: string) => () => ({
  id: 'ABCDEFGHJKMNPQRS',
  total: 6.5,
  vendorId: 1,
  promisedDate,
  cancellableUntil: '2026-11-21T09:00:00.000Z',
  createdAt: '2026-11-21T08:00:00.000Z',
})

describe('the delivery day at checkout', () => {
  it('is the first open day; closed days stand in the row and cannot be chosen', async () => {
    openShop()
    await visit('/checkout')
    expect(day('Sunday 22 November').checked).toBe(true)
    const friday = day('Friday 27 November, no delivery: Day off')
    expect([friday.disabled, friday.checked]).toEqual([true, false])
    expect(screen.getAllByRole('radio', { name: /November/ })).toHaveLength(8)
  })

  it('is sent as chosen, and as expected if it is the first one', async () => {
    const shop = openShop()
    shop.on(getOrder, () => refusal('ORDER_NOT_FOUND'))
    shop.on(placeOrder, () => refusal('UNAVAILABLE'))
    await visit('/checkout')
    fireEvent.click(day('Wednesday 25 November'))
    await place()
    await waitFor(() => expect(sentDays(shop)).toHaveLength(1))
    fireEvent.click(day('Sunday 22 November'))
    await place()
    await waitFor(() => expect(sentDays(shop)).toHaveLength(2))
    expect(sentDays(shop)).toEqual([
      { deliveryDate: '2026-11-25', expectedDate: undefined },
      { deliveryDate: undefined, expectedDate: '2026-11-22' },
    ])
  })

  it('that changed is shown before the order is placed for the new one', async () => {
    const shop = openShop()
    shop.on(getOrder, () => refusal('ORDER_NOT_FOUND'))
    shop.on(placeOrder, () =>
      refusal('DATE_CHANGED', { promisedDate: '2026-11-23', days: ['2026-11-23', '2026-11-24'] }),
    )
    const { path } = await visit('/checkout')
    let load = () => {}
    const loaded = new Promise<void>((done) => (load = done))
    const tooLate: UnavailableDay = { date: '2026-11-22', reason: 'cutOff', name: null, nameAr: null }
    const [, first, ...later] = openDays
    shop.on(getDeliveryDays, () => loaded.then(() => (first ? [{ ...first, closedBefore: [tooLate] }, ...later] : [])))
    await place()
    expect(await screen.findByText(/first day is now Monday 23 November/)).toBeTruthy()
    expect(day('Monday 23 November').checked).toBe(true)
    load()
    expect(await screen.findByRole('radio', { name: 'Sunday 22 November, no delivery: Too late' })).toBeTruthy()
    expect(day('Monday 23 November').checked).toBe(true)
    shop.on(placeOrder, placedOn('2026-11-23'))
    await place()
    await waitFor(() => expect(path()).toMatch(/success/))
    expect(sentDays(shop).at(-1)).toEqual({ deliveryDate: undefined, expectedDate: '2026-11-23' })
  })

  /** A shop that promises tomorrow until 4 PM, opened at a time of 21 November. */
  async function openBeforeCutOff(time: string, first = 0) {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: new Date(`2026-11-21T${time}:00+03:00`) })
    noteServerTime(new Date().toUTCString())
    const shop = openShop()
    shop.on(listVendors, () => [{ ...vendorOf(1, 'Hayrat', 'هيرات'), cutOff: '16:00' }])
    shop.on(getDeliveryDays, () => openDays.slice(first))
    shop.on(placeOrder, () => refusal('UNAVAILABLE'))
    await visit('/checkout')
    return shop
  }
  const cutOffLine = () => screen.queryByText('Order before 4:00 PM to get it tomorrow.')

  it('that is tomorrow comes with the time until which it holds, and a later one without', async () => {
    await openBeforeCutOff('12:00')
    expect(cutOffLine()).toBeTruthy()
    cleanup()
    await openBeforeCutOff('12:00', 1)
    expect(cutOffLine()).toBeNull()
  })

  it('that changes while the page is open is corrected, with a notice, before the order is placed', async () => {
    const shop = await openBeforeCutOff('15:59')
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(day('Sunday 22 November').checked).toBe(true)
    shop.on(getDeliveryDays, () => openDays.slice(1))
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(screen.queryByRole('radio', { name: /22 November/ })).toBeNull()
    expect(day('Monday 23 November').checked).toBe(true)
    expect(screen.getByText(/first day is now Monday 23 November/)).toBeTruthy()
    expect(cutOffLine()).toBeNull()
    vi.useRealTimers()
    await place()
    await waitFor(() => expect(sentDays(shop)).toEqual([{ deliveryDate: undefined, expectedDate: '2026-11-23' }]))
  })

  it('that the customer changes is said with the area, and brings no notice', async () => {
    openShop()
    await visit('/checkout')
    expect(await screen.findByText(/^Arrives Sun 22 Nov$/)).toBeTruthy()
    fireEvent.click(day('Wednesday 25 November'))
    expect(screen.getByText(/^Arrives Wed 25 Nov$/)).toBeTruthy()
    expect(screen.queryByText('The delivery day has changed')).toBeNull()
  })

  it('that is no longer available is taken back, with the days that are', async () => {
    const shop = openShop()
    shop.on(placeOrder, () => refusal('DATE_NOT_AVAILABLE', { days: ['2026-11-22', '2026-11-23'] }))
    await visit('/checkout')
    shop.on(getDeliveryDays, () => openDays.slice(0, 2))
    fireEvent.click(day('Wednesday 25 November'))
    await place()
    expect(await screen.findByText('This day is no longer available. Choose another one.')).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /25 November/ })).toBeNull()
    expect(day('Sunday 22 November').checked).toBe(true)
  })

  it('is the promised day of the vendor while the list cannot be loaded', async () => {
    const shop = openShop()
    shop.on(getDeliveryDays, () => refusal('UNAVAILABLE'))
    shop.on(placeOrder, () => refusal('UNAVAILABLE'))
    await visit('/checkout')
    expect(await screen.findByText('The delivery days could not be loaded.')).toBeTruthy()
    await place()
    await waitFor(() => expect(sentDays(shop)).toEqual([{ deliveryDate: undefined, expectedDate: '2026-11-22' }]))
  })
})
