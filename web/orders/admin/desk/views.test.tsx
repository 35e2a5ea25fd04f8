import { listAreaDrivers } from '@qatra/contract/driver-board'
import { listDrivers } from '@qatra/contract/drivers'
import { changeManyOrders } from '@qatra/contract/orders/admin'
import { removeOrderView, saveOrderView } from '@qatra/contract/orders/views'
import { cleanup, configure, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusal } from '../../../checkout/test-shop.tsx'
import { page as deskPage } from './OrdersPage.tsx'
import { bilal, leave, me, openPage, order, rows, setUpDesk, type TestDesk, tearDownDesk } from './test-desk.tsx'

// Slow machines.
configure({ asyncUtilTimeout: 5_000 })

let desk: TestDesk
beforeEach(() => {
  desk = setUpDesk()
})
afterEach(tearDownDesk)

const open = (at = '/here', user = me) => openPage(deskPage.Component, { at, user })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const nameIt = (name: string) => {
  fireEvent.change(screen.getByLabelText('Name of the view'), { target: { value: name } })
  fireEvent.click(button('Save this view'))
}

describe('saved views', () => {
  it('are saved by name for the vendor, without day and search text', async () => {
    desk.shop.on(saveOrderView, ({ body }) => {
      desk.views = [{ id: 4, ...(body as { name: string; search: object }) }]
      return { id: 4, name: 'Vans', search: {} }
    })
    const { search } = await open('/here?day=2026-11-21&q=noura&status=shipped&driver=none&driver=21')
    fireEvent.click(button('Views'))
    nameIt(' Vans ')
    await screen.findByText('View saved')
    expect(desk.shop.to(saveOrderView).map(({ body }) => body)).toEqual([
      { name: 'Vans', search: { status: ['shipped'], driver: ['none', '21'] } },
    ])
    fireEvent.click(button('Views'))
    fireEvent.click(await screen.findByRole('button', { name: /^Vans/ }))
    await vi.waitFor(() => expect(search()).not.toContain('noura'))
    expect(search()).toContain('status=shipped')
  })

  it('of colleagues are listed, and removed by people who change orders', async () => {
    desk.views = [{ id: 7, name: 'From Sara', search: { status: ['new'], area: ['3'] } }]
    desk.shop.on(removeOrderView, () => {
      desk.views = []
      return { success: true as const }
    })
    await open('/here?day=2026-11-21')
    fireEvent.click(button('Views'))
    await screen.findByRole('button', { name: 'From Sara' })
    fireEvent.click(button('Remove the view From Sara'))
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'From Sara' })).toBeNull())
    expect(desk.shop.to({ ...removeOrderView, path: '/api/admin/orders/views/7' })).toHaveLength(1)
  })

  it('are only read without the permission to change orders', async () => {
    desk.views = [{ id: 7, name: 'From Sara', search: { status: ['new'] } }]
    await open('/here?status=shipped', { ...me, role: 'vendor_staff', permissions: ['orders.read'] })
    fireEvent.click(button(/^Views/))
    await screen.findByRole('button', { name: 'From Sara' })
    expect(screen.queryByRole('button', { name: /^Remove the view/ })).toBeNull()
    expect(screen.queryByLabelText('Name of the view')).toBeNull()
  })

  it.each([
    ['VIEW_NAME_TAKEN', 'There is already a view with this name'],
    ['VIEWS_FULL', '20 views is the limit. Remove one first.'],
  ] as const)('that the server refuses with %s say why, and the typed name stays', async (code, words) => {
    desk.shop.on(saveOrderView, () => refusal(code))
    await open('/here?status=shipped')
    fireEvent.click(button(/^Views/))
    nameIt('Vans')
    await screen.findByText(words)
    expect(screen.getByLabelText<HTMLInputElement>('Name of the view').value).toBe('Vans')
    expect(screen.queryByText('View saved')).toBeNull()
  })
})

describe('the columns', () => {
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

  it('leave out what the filters say of all rows, and keep what is late', async () => {
    await open('/here?by=promised&from=2026-11-10&to=2026-11-12')
    expect(heads()).toEqual(expect.arrayContaining(['Delivery', 'Status']))
    cleanup()
    const [late = order('K7QM')] = desk.orders
    desk.orders[0] = { ...late, promisedDate: '2026-11-01' }
    await open('/here?day=2026-11-21&status=new')
    expect(heads()).not.toContain('Delivery')
    expect(heads()).not.toContain('Status')
    expect(screen.getByRole('columnheader', { name: /Area/ }).getAttribute('aria-sort')).toBe('ascending')
    expect(within(rows()[0] ?? document.body).getByText(/days? late/)).toBeTruthy()
  })
})

describe('assigning by areas', () => {
  it('proposes who has the area that day, lets a person change it, and is one act with one undo', async () => {
    desk.orders = [
      order('K7QM'),
      order('9HXR', { areaId: 2, areaName: 'Budaiya' }),
      order('T2CA', { areaId: 3, areaName: 'Sitra' }),
    ]
    const raid = {
      ...bilal,
      id: 22,
      name: 'Raid Salman',
      vendorId: 1,
      openOrders: 0,
      day: { orders: 0, units: 0, areas: [] },
    }
    desk.shop.on(listDrivers, () => [{ ...raid, ...bilal }, raid])
    desk.shop.on(listAreaDrivers, () => [
      { areaId: 1, driverId: 22, onDay: 0, usual: 30 },
      { areaId: 1, driverId: 21, onDay: 2, usual: 0 },
      { areaId: 2, driverId: 21, onDay: 0, usual: 4 },
    ])
    desk.shop.on(changeManyOrders, () => ({ changed: 1, results: [] }))
    await open()
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select every row of this page' }))
    const begin = () => fireEvent.click(button('Assign by areas'))
    begin()
    const dialog = () => within(screen.getByRole('dialog'))
    const choice = async (area: string) => (await dialog().findByLabelText(`Driver of ${area}`)) as HTMLSelectElement
    expect((await choice('Budaiya')).value).toBe('21')
    expect((await choice('Sitra')).value).toBe('')
    expect(dialog().getByText(/has 2 orders here/)).toBeTruthy()
    expect(dialog().getByText(/delivered here 4 times/)).toBeTruthy()
    fireEvent.change(await choice('Budaiya'), { target: { value: '22' } })
    fireEvent.click(button('Assign 2 orders'))
    expect(within(rows()[0] ?? document.body).getByText('Driver: Bilal Hussain')).toBeTruthy()
    expect(within(rows()[1] ?? document.body).getByText('Driver: Raid Salman')).toBeTruthy()
    expect(within(rows()[2] ?? document.body).queryByText(/^Driver: /)).toBeNull()
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await vi.waitFor(() => expect(screen.queryByText('Driver: Bilal Hussain')).toBeNull())
    expect(desk.shop.to(changeManyOrders)).toEqual([])
    begin()
    fireEvent.change(await choice('Budaiya'), { target: { value: '22' } })
    fireEvent.click(button('Assign 2 orders'))
    // No call waits for the answer to another one: the page may be gone by then.
    desk.shop.on(changeManyOrders, () => new Promise<never>(() => undefined))
    await leave()
    await vi.waitFor(() => expect(desk.shop.to(changeManyOrders)).toHaveLength(2))
    expect(desk.shop.to(changeManyOrders).map(({ body }) => body)).toEqual([
      { ids: [order('K7QM').id], driverId: 21 },
      { ids: [order('9HXR').id], driverId: 22 },
    ])
  })
})
