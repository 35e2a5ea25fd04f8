import { listStops } from '@qatra/contract/drivers'
import { changeManyOrders, listOrders } from '@qatra/contract/orders/admin'
import { configure, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page as deskPage } from './OrdersPage.tsx'
import { bilal, leave, me, openPage, order, rows, setUpDesk, type TestDesk, tearDownDesk } from './test-desk.tsx'

// Slow machines.
configure({ asyncUtilTimeout: 5_000 })

let desk: TestDesk
let shop: TestDesk['shop']
/** The whole list of the server; a page shows the first two. */
let all: TestDesk['orders']
let total: number
beforeEach(() => {
  desk = setUpDesk()
  shop = desk.shop
  const { can } = order('DONE')
  all = [
    order('K7QM'),
    order('P4WN'),
    order('DONE', { status: 'cancelled', can: { ...can, changeStatus: [], assign: false } }),
    order('9HXR'),
  ]
  total = 4
  shop.on(listOrders, ({ query }) => ({
    items: query.get('limit') === '50' ? all.slice(0, 2) : all,
    page: 1,
    limit: Number(query.get('limit')),
    total,
    totalIsExact: total < 1000,
    sum: null,
    sortedAmong: null,
    day: null,
    now: desk.listedAt,
  }))
})
afterEach(tearDownDesk)

const button = (name: string | RegExp) => screen.getByRole('button', { name })
async function selectPage() {
  await openPage(deskPage.Component, { at: '/here?status=new' })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select every row of this page' }))
  await screen.findByText('2 selected')
}

describe('orders of all pages', () => {
  it('are selected by one press after the page, but for closed ones, and changed by one request', async () => {
    await selectPage()
    fireEvent.click(button('Select all 4 orders of this list'))
    await screen.findByText('3 selected')
    expect(screen.getByText('1 closed order is not selected.')).toBeTruthy()
    shop.on(changeManyOrders, ({ body }) => {
      const { ids } = body as { ids: string[] }
      const results = ids.map((id) => ({ id, code: null, status: null, driverId: null, version: null }))
      return { changed: ids.length, results }
    })
    fireEvent.click(button('Start preparing'))
    await screen.findByText('3 orders: Processing')
    await leave()
    expect(shop.to(changeManyOrders).map(({ body }) => body)).toEqual([
      { ids: ['K7QM', 'P4WN', '9HXR'].map((id) => id.padEnd(16, '2')), status: 'in-progress' },
    ])
  })

  it('are not selected if the list has another number of orders by then', async () => {
    await selectPage()
    all = [...all, order('NEW1')]
    total = 5
    fireEvent.click(button('Select all 4 orders of this list'))
    await screen.findByText('The list has changed: it has 5 orders now. Nothing was selected.')
    expect(screen.getByText('2 selected')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Select all 5 orders of this list' })).toBeTruthy()
  })

  it('do not include an order that arrives after the press', async () => {
    await selectPage()
    fireEvent.click(button('Select all 4 orders of this list'))
    await screen.findByText('3 selected')
    all = [order('NEW1'), ...all]
    total = 5
    shop.on(changeManyOrders, () => ({ changed: 3, results: [] }))
    fireEvent.click(button('Start preparing'))
    await leave()
    await vi.waitFor(() => expect(shop.to(listOrders).length).toBeGreaterThan(3))
    expect(JSON.stringify(shop.to(changeManyOrders)[0]?.body)).toContain(order('K7QM').id)
    expect(JSON.stringify(shop.to(changeManyOrders)[0]?.body)).not.toContain(order('NEW1').id)
    expect(screen.getByText('3 selected')).toBeTruthy()
  })

  it('are the first 100 of a longer list, which says so', async () => {
    total = 250
    all = Array.from({ length: 100 }, (_, at) => order(`A${String(at).padStart(3, '0')}`))
    all[0] = order('K7QM')
    await selectPage()
    expect(screen.getByText('One action changes at most 100 orders.')).toBeTruthy()
    fireEvent.click(button('Select the first 100 of 250'))
    await screen.findByText('100 selected')
  })

  it('are deselected by the clear button', async () => {
    await selectPage()
    fireEvent.click(button('Select all 4 orders of this list'))
    await screen.findByText('3 selected')
    const bar = within(screen.getByRole('region', { name: 'Actions for the selection' }))
    expect(bar.getByText(/^6 units/).textContent).toMatch(/^6 units · .*16\.950/)
    const ids = ['K7QM', 'P4WN', '9HXR'].map((id) => order(id).id)
    const href = bar.getByRole('link', { name: 'Print' }).getAttribute('href') ?? ''
    expect(decodeURIComponent(href)).toContain(ids.join(','))
    fireEvent.click(button('Clear the selection'))
    expect(screen.queryByText(/selected$/)).toBeNull()
  })
})

describe('the stop of an order', () => {
  it('is in the row of the driver’s run, and not in that of a cancelled order', async () => {
    const given = { driver: bilal, assignedDriverId: 21 }
    all = [order('K7QM', given), order('P4WN', { ...given, status: 'cancelled' })]
    total = 2
    shop.on(listStops, () => [{ driverId: 21, orderIds: ['x', order('K7QM').id, order('P4WN').id], last: 2 }])
    await openPage(deskPage.Component, {
      at: '/here?status=new',
      user: { ...me, permissions: [...me.permissions, 'drivers.run'] },
    })
    expect(await within(rows()[0] ?? document.body).findByText('Stop 2')).toBeTruthy()
    expect(within(rows()[1] ?? document.body).queryByText(/^Stop/)).toBeNull()
    expect(shop.to(listStops)).toHaveLength(1)
  })

  it('is not asked for without the permission', async () => {
    all = [order('K7QM', { driver: bilal, assignedDriverId: 21 })]
    await openPage(deskPage.Component, { at: '/here?status=new' })
    expect(shop.to(listStops)).toEqual([])
  })
})
