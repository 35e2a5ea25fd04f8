import { listStops } from '@qatra/contract/drivers'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { today } from '../../../ui/admin/day-words.ts'
import { me, openPage, order, setUpDesk, type TestDesk, tearDownDesk } from '../desk/test-desk.tsx'
import { page } from './PickingPage.tsx'
import { loadsOf } from './picking.ts'

let desk: TestDesk
const print = vi.fn()
beforeEach(() => {
  desk = setUpDesk()
  vi.stubGlobal('print', print)
})
afterEach(() => {
  print.mockReset()
  tearDownDesk()
})

const open = () => openPage(page.Component, { user: { ...me, permissions: [...me.permissions, 'drivers.run'] } })

it('the picking page opens the print dialog once, and not again when the runs are refetched', async () => {
  const readRun = vi.fn(async () => {
    await new Promise((done) => setTimeout(done, 20))
    return []
  })
  desk.shop.on(listStops, readRun)
  const { queries } = await open()
  await vi.waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  readRun.mockClear()
  // Two steps, so that the page renders while the runs are being fetched.
  await act(async () => void queries.invalidateQueries({ queryKey: [listStops.path] }))
  await act(() => vi.waitFor(() => expect(queries.isFetching()).toBe(0)))
  expect(readRun).toHaveBeenCalled()
  expect(print).toHaveBeenCalledTimes(1)
})

it("the picking page takes the stop number of a late order from the driver's run of today", async () => {
  const [, late] = desk.orders
  desk.shop.on(listStops, ({ query }) =>
    query.get('date') === today() ? [{ driverId: 21, orderIds: [...'abcdef', late?.id ?? ''], last: 7 }] : [],
  )
  await open()
  expect(late && late.promisedDate < today()).toBe(true)
  expect(await screen.findByRole('cell', { name: '7' })).toBeTruthy()
})

it('the picking list sums products by vendor and day, and leaves out closed orders', () => {
  const loads = loadsOf([
    order('A'),
    order('B', { paymentStatus: 'paid' }),
    order('C', { status: 'delivered' }),
    order('D', { vendorId: 2 }),
    order('E', { promisedDate: '2026-11-22' }),
  ])
  expect(
    loads.map(({ day, orders: all, quantity, products }) => [day, all.length, quantity, products[0]?.quantity]),
  ).toEqual([
    ['2026-11-21', 2, 4, 4],
    ['2026-11-21', 1, 2, 2],
    ['2026-11-22', 1, 2, 2],
  ])
})
