import { type AdminOrderDetail, assignDriver, changeOrderStatus, changePayment } from '@qatra/contract/orders/admin'
import { editItems } from '@qatra/contract/orders/editing'
import type { Payment } from '@qatra/contract/orders/payments'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { listProducts } from '@qatra/contract/products/products'
import { act, configure, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signedIn } from '../../../app/session/session.ts'
import { refusal } from '../../../checkout/test-shop.tsx'
import { connection, noteConnection } from '../../../lib/connection.ts'
import { Toasts } from '../../../ui/Toast.tsx'
import { cacheOrder } from '../order-cache.ts'
import { page as orderPage } from '../panel/AdminOrderPage.tsx'
import { UNDO_MS } from '../use-undo-queue.ts'
import { page as deskPage } from './OrdersPage.tsx'
import {
  bilal,
  leave,
  me,
  moved,
  openPage,
  order,
  panel,
  rows,
  setUpDesk,
  type TestDesk,
  tearDownDesk,
} from './test-desk.tsx'

// Slow machines.
configure({ asyncUtilTimeout: 5_000 })

let desk: TestDesk
beforeEach(() => {
  desk = setUpDesk()
})
afterEach(tearDownDesk)

const atOffice: Payment = {
  id: 1,
  means: 'cash',
  amount: 2.15,
  holder: { kind: 'office', id: 3, name: 'Ali' },
  reference: null,
  usedBefore: null,
  key: 'paid-1234',
  at: '2026-11-21T07:00:00.000Z',
  date: '2026-11-21',
  recordedBy: { id: 3, name: 'Ali' },
  reason: null,
}

/** A server that applies changes and checks versions. */
function serve() {
  const change = (path: string, body: unknown, more: Partial<AdminOrderDetail>) => {
    const at = desk.orders.findIndex(({ id }) => path.includes(id))
    const before = desk.orders[at] ?? order('gone')
    const { version } = body as { version: number }
    if (version !== before.version) return refusal('VERSION_CONFLICT', { version: before.version })
    desk.orders[at] = { ...before, ...more, version: version + 1 }
    return desk.orders[at] ?? before
  }
  desk.shop.on(changeOrderStatus, ({ path, body }) => change(path, body, body as { status: 'new' }))
  desk.shop.on(changePayment, ({ path, body }) => change(path, body, body as { paymentStatus: 'unpaid' }))
  desk.shop.on(editItems, ({ path, body }) => change(path, body, { total: 8.25 }))
  desk.shop.on(assignDriver, ({ path, body }) => change(path, body, { driver: bilal, assignedDriverId: 21 }))
}

/** A colleague cancels the first order; this page receives no event. */
function cancelElsewhere() {
  desk.orders[0] = moved(desk.orders[0] ?? order('gone'), 'cancelled')
  desk.shop.on(getTimeline, () => [
    {
      id: 9,
      at: '2026-11-21T07:00:00.000Z',
      action: 'updated',
      field: 'status',
      from: 'new',
      to: 'cancelled',
      ...{
        notes: null,
        by: { id: 3, name: 'Ali', role: 'vendor_staff' },
        onBehalfOf: null,
        fromName: null,
        toName: null,
      },
    },
  ])
}

const openPanel = async (user = me) => {
  const view = await openPage(deskPage.Component, { user })
  fireEvent.click(screen.getByText('Customer K7QM'))
  await panel().findByRole('button', { name: 'Start preparing' })
  return view
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const row = () => within(rows()[0] ?? document.body)
const hide = () =>
  act(async () => {
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    state.mockRestore()
  })

describe('the undo window of the open order', () => {
  it('shows the new status at once, and sends nothing after Undo', async () => {
    serve()
    await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    expect(row().getByText('Processing')).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('As it was before')
    expect(panel().getByText('New')).toBeTruthy()
    await leave()
    expect(desk.statusCalls('K7QM')).toEqual([])
  })

  it('sends one request at its end and offers no Undo after that', async () => {
    serve()
    await openPanel()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    press('Start preparing')
    await act(() => vi.advanceTimersByTimeAsync(UNDO_MS - 1_000))
    expect(desk.statusCalls('K7QM')).toEqual([])
    const undo = screen.getByRole('button', { name: 'Undo' })
    fireEvent.focus(undo)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    vi.useRealTimers()
    fireEvent.click(undo)
    await screen.findByText('Too late: it is done')
    expect(desk.statusCalls('K7QM')).toEqual([{ status: 'in-progress', version: 1 }])
    expect(panel().getByText('Processing')).toBeTruthy()
  })

  it('ends when the tab is hidden, when the page is left, and with the closing of the page', async () => {
    serve()
    const { go } = await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    await hide()
    expect(desk.statusCalls('K7QM')).toHaveLength(1)
    press('Cancel order')
    press('Cancel it')
    await panel().findByText('Cancelled')
    await go('/elsewhere')
    await vi.waitFor(() => expect(desk.statusCalls('K7QM').at(-1)).toEqual({ status: 'cancelled', version: 2 }))
  })

  it('holds back a change of the items, whose sum is shown at once', async () => {
    serve()
    const water = { ...order('K7QM').items[0], id: 1, vendorId: 1, isActive: true }
    desk.shop.on(listProducts, () => [water] as never)
    await openPanel()
    const add = async () => {
      press('Change the items')
      const dialog = within(screen.getByRole('dialog'))
      fireEvent.click(await dialog.findByRole('button', { name: /more|increase/i }))
      fireEvent.click(dialog.getByRole('button', { name: /^Save for/ }))
      await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    await add()
    expect(row().getByText('8.250')).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await vi.waitFor(() => expect(row().getByText('5.650')).toBeTruthy())
    await add()
    const sent = () => desk.shop.to({ ...editItems, path: `/api/admin/orders/${order('K7QM').id}/items` })
    expect(sent()).toEqual([])
    await leave()
    const [request, second] = sent()
    expect(request?.body).toEqual({ items: [{ productId: 1, quantity: 3 }], expectedTotal: 8.25, version: 1 })
    expect(second).toBeUndefined()
  })

  it('works the same on the page of the order', async () => {
    serve()
    await openPage(orderPage.Component, { at: `/here/${order('K7QM').id}`, path: '/here/$id' })
    press('Start preparing')
    await screen.findByText('Processing')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('New')
    press('Start preparing')
    await screen.findByText('Processing')
    expect(desk.statusCalls('K7QM')).toEqual([])
    await leave()
    expect(desk.statusCalls('K7QM')).toEqual([{ status: 'in-progress', version: 1 }])
  })

  it('does not apply to a driver: the change is sent at once', async () => {
    serve()
    const can = { ...order('K7QM').can, changeStatus: ['shipped', 'delivered'] as const }
    desk.orders = [order('K7QM', { status: 'in-progress', can: { ...can, changeStatus: [...can.changeStatus] } })]
    await openPage(deskPage.Component, { user: { ...me, role: 'driver' } })
    fireEvent.click(screen.getByText('Customer K7QM'))
    fireEvent.click(await panel().findByRole('button', { name: 'Start the delivery' }))
    await vi.waitFor(() => expect(desk.statusCalls('K7QM')).toHaveLength(1))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})

describe('a second action within the undo window', () => {
  it('waits for the answer to the first and sends the version of that answer', async () => {
    serve()
    await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    press('Choose a driver')
    expect(desk.statusCalls('K7QM')).toEqual([])
    fireEvent.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: /Bilal/ }))
    fireEvent.click(await panel().findByRole('button', { name: 'Hand to Bilal, mark shipped' }))
    await panel().findByRole('button', { name: 'Mark delivered' })
    await leave()
    expect(desk.statusCalls('K7QM')).toEqual([
      { status: 'in-progress', version: 1 },
      { status: 'shipped', version: 3 },
    ])
  })

  it('is not sent if the first was refused', async () => {
    serve()
    await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    cancelElsewhere()
    press('Choose a driver')
    fireEvent.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: /Bilal/ }))
    await panel().findByText(/^Ali changed this order a moment ago: New to Cancelled/)
    expect(panel().getByText('Cancelled')).toBeTruthy()
    const assigned = desk.shop.to({ ...assignDriver, path: `/api/admin/orders/${order('K7QM').id}/driver` })
    expect([assigned, desk.statusCalls('K7QM')]).toEqual([[], [{ status: 'in-progress', version: 1 }]])
  })

  it('on several orders sends the first at once', async () => {
    serve()
    await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    fireEvent.click(screen.getByText('Customer 9HXR'))
    await vi.waitFor(() => expect(desk.statusCalls('K7QM')).toHaveLength(1))
  })
})

describe('a refused action', () => {
  it('leaves the order unchanged and shows the reason in the panel', async () => {
    desk.shop.on(changeOrderStatus, () => refusal('FORBIDDEN'))
    await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    await leave()
    expect((await panel().findByRole('alert')).textContent).toContain('Your role')
    expect(panel().getByText('New')).toBeTruthy()
    expect(row().getByText('New')).toBeTruthy()
  })

  it('is shown above the list with the order id if the panel is closed, until dismissed', async () => {
    serve()
    await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    cancelElsewhere()
    press('Close')
    await vi.waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    expect(desk.statusCalls('K7QM')).toEqual([])
    await leave()
    await screen.findByText(/^K7QM: Ali changed this order a moment ago/)
    press('Close the list')
    expect(screen.queryByText(/^K7QM: Ali/)).toBeNull()
  })

  it('is shown in a toast on the next page if the desk was left', async () => {
    serve()
    const { go } = await openPanel()
    press('Start preparing')
    await panel().findByText('Processing')
    cancelElsewhere()
    render(<Toasts />)
    await go('/elsewhere')
    await screen.findByText(/^K7QM: Ali changed this order a moment ago/)
  })
})

describe('without a connection', () => {
  it('actions wait, shown as done, and are sent in order on the versions of those before', async () => {
    serve()
    desk.orders[0] = order('K7QM', { paymentStatus: 'paid', payments: [atOffice], version: 1 })
    await openPanel()
    const online = globalThis.fetch
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    press('Start preparing')
    await panel().findByText('Processing')
    await leave()
    await vi.waitFor(() => expect(connection.get()).toEqual({ isOnline: false, waiting: 1 }))
    fireEvent.click(panel().getByRole('button', { name: 'Recorded by mistake' }))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Another order' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Recorded by mistake' }))
    await vi.waitFor(() => expect(connection.get().waiting).toBe(2))
    expect(panel().queryByRole('alert')).toBeNull()
    expect(row().getByText('Processing')).toBeTruthy()
    vi.stubGlobal('fetch', online)
    await act(async () => noteConnection(true))
    await vi.waitFor(() =>
      expect(desk.orders[0]).toMatchObject({ status: 'in-progress', paymentStatus: 'unpaid', version: 3 }),
    )
    expect(connection.get().waiting).toBe(0)
  })

  it('actions that wait after the page was left are dropped when another person signs in', async () => {
    serve()
    const { go, queries } = await openPanel()
    const online = globalThis.fetch
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    press('Start preparing')
    await panel().findByText('Processing')
    await go('/elsewhere')
    await vi.waitFor(() => expect(connection.get()).toEqual({ isOnline: false, waiting: 1 }))
    vi.stubGlobal('fetch', online)
    await act(async () => {
      noteConnection(true)
      await signedIn(queries)
    })
    expect(connection.get().waiting).toBe(0)
    expect(desk.statusCalls('K7QM')).toEqual([])
  })
})

it('an edited order changes the sum at the foot', async () => {
  const { queries } = await openPage(deskPage.Component, { user: me })
  expect(screen.getByText(/16\.950/)).toBeTruthy()
  await act(async () => cacheOrder(queries, order('K7QM', { total: 4.65, version: 2 })))
  expect(await screen.findByText(/15\.950/)).toBeTruthy()
})
