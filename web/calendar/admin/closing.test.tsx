import { closeDay, listClosedDays } from '@qatra/contract/calendar/admin'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { countOrders } from '@qatra/contract/orders/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { fetchKey } from '../../lib/api-client.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../ui/Toast.tsx'
import { CalendarDesk } from './CalendarDesk.tsx'

const today = bahrainDate(new Date())
const vendor = { id: 2 } as Parameters<typeof CalendarDesk>[0]['vendor'] // the desk reads only the id

beforeEach(() => setUpScreen())
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

function Shown() {
  const queries = useQueryClient()
  useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey } }))
  return (
    <>
      <CalendarDesk vendor={vendor} />
      <Toasts />
    </>
  )
}

/** Presses "Close this day" on today, with this number of open orders on it. */
async function closeToday(openOrders: number | Response) {
  const shop = fakeShop()
  shop.on(listClosedDays, () => ({ items: [], page: 1, limit: 100, total: 0 }))
  shop.on(listVendors, () => [])
  shop.on(countOrders, () =>
    openOrders instanceof Response
      ? openOrders
      : {
          counts: { new: openOrders, 'in-progress': 0, shipped: 0, delivered: 7, cancelled: 5 },
          processing: true,
          all: openOrders + 12,
          most: 1000,
          arrived: 0,
          arrivedIds: [],
          today,
          chips: { today: 0, tomorrow: 0, day: 0, late: 0, failed: 0, unassigned: 0 },
          now: '2026-11-21T07:00:00.000Z',
        },
  )
  shop.on(closeDay, ({ body }) => ({
    id: 1,
    day: today,
    vendorId: 2,
    name: null,
    nameAr: null,
    isEstimated: false,
    can: { remove: true },
    openOrders: typeof openOrders === 'number' ? openOrders : 3,
    moved: (body as { moveOrders?: boolean }).moveOrders ? Number(openOrders) : 0,
  }))
  await renderInAdmin(Shown)
  fireEvent.click(document.querySelector(`[data-day="${today}"]`) ?? document.body)
  fireEvent.click(await screen.findByRole('button', { name: 'Close this day' }))
  return shop
}
const choose = async (name: string) =>
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
const moves = (shop: ReturnType<typeof fakeShop>) =>
  shop.to(closeDay).map(({ body }) => (body as { moveOrders?: boolean }).moveOrders)

describe('closing a day', () => {
  it('without open orders closes it at once', async () => {
    const shop = await closeToday(0)
    await waitFor(() => expect(moves(shop)).toEqual([undefined]))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('with open orders asks first and moves them on request, without an undo', async () => {
    const shop = await closeToday(4)
    expect(await screen.findByText(/^4 orders are promised for this day/)).toBeTruthy()
    expect(moves(shop)).toEqual([])
    await choose('Close and move them')
    expect(await screen.findByText('4 orders move to the next delivery day.')).toBeTruthy()
    expect(moves(shop)).toEqual([true])
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('can keep the orders on it, or leave the day open', async () => {
    const shop = await closeToday(4)
    await choose('Do not close it')
    expect(moves(shop)).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Close this day' }))
    await choose('Close, but keep the orders on it')
    await waitFor(() => expect(moves(shop)).toEqual([false]))
  })

  it('closes it and names the orders if they could not be counted', async () => {
    const shop = await closeToday(refusal('UNAVAILABLE'))
    await waitFor(() => expect(moves(shop)).toEqual([undefined]))
    expect(await screen.findByText('3 orders are promised for this day and keep it.')).toBeTruthy()
  })
})
