import { listDrivers } from '@qatra/contract/drivers'
import {
  assignDriver,
  changeManyOrders,
  changeOrderStatus,
  countOrders,
  listOrders,
} from '@qatra/contract/orders/admin'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { act, configure, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusal } from '../../../checkout/test-shop.tsx'
import { cacheOrder } from '../order-cache.ts'
import { arrival } from './arrivals.ts'
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
let shop: TestDesk['shop']

beforeEach(() => {
  desk = setUpDesk()
  shop = desk.shop
})
afterEach(tearDownDesk)

const open = (at = '/here', user = me) => openPage(deskPage.Component, { at, user })
const button = (name: string | RegExp) => screen.getByRole('button', { name })

describe('the list', () => {
  it('shows exact and minimum counts on the tabs of its steps and queries by the search parameters', async () => {
    desk.processing = false
    const { go, search } = await open('/here?status=new&driver=none&by=promised&from=2026-11-21')
    expect(screen.getByRole('link', { name: /^New ?2$/ }).getAttribute('aria-current')).toBe('true')
    expect(screen.getByRole('link', { name: /^Shipped 1000\+$/ })).toBeTruthy()
    const [request] = shop.to(listOrders)
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      status: 'new',
      driverId: 'none',
      by: 'promised',
      from: '2026-11-21',
      sort: '-createdAt',
      page: '1',
      limit: '50',
    })
    fireEvent.click(screen.getByRole('button', { name: 'Download' }))
    const files = (await screen.findAllByRole('menuitem')).map((file) => file.getAttribute('href') ?? '')
    const kinds = files.map((href) => href.replace(/.*\.(\w+)\?.*status=new.*?(&rows=lines)?&lang=en$/, '$1$2'))
    expect(kinds).toEqual(['xlsx', 'csv', 'xlsx&rows=lines', 'csv&rows=lines'])
    expect(screen.queryByRole('link', { name: /^Processing/ })).toBeNull()
    fireEvent.click(screen.getByRole('link', { name: /^All \d/ }))
    await vi.waitFor(() => expect(search()).not.toContain('status'))
    await go('/elsewhere')
  })

  it('offers to search all orders if the filters hide the results', async () => {
    const { go, search } = await open('/here?status=new&from=2026-11-21&by=promised')
    shop.on(listOrders, () => ({
      items: [],
      page: 1,
      limit: 50,
      total: 0,
      totalIsExact: true,
      sum: 0,
      sortedAmong: null,
      day: null,
      now: desk.listedAt,
    }))
    await go('/here?status=new&from=2026-11-21&by=promised&q=noura')
    fireEvent.click(await screen.findByRole('button', { name: /Search all orders/ }))
    await vi.waitFor(() => expect(search()).toBe('?q=noura'))
    expect((await screen.findByRole('button', { name: 'Clear the filters' })).textContent).toBeTruthy()
  })

  it('shows no counts by status if a search has too many results', async () => {
    await open('/here?q=noura')
    expect(shop.to(listOrders)[0]?.query.get('search')).toBe('noura')
    expect(screen.getByRole('link', { name: /^All 1000\+$/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: /^New$/ })).toBeTruthy()
  })

  it('keeps its rows while new orders arrive, and shows the new ones on demand', async () => {
    const { queries } = await open()
    await vi.waitFor(() => expect(shop.to(countOrders).length).toBeGreaterThan(0))
    desk.arrivedIds = [order('NEW1').id, order('NEW2').id]
    await act(async () => arrival.emit())
    const show = await screen.findByRole('button', { name: 'Show them' })
    expect(rows()).toHaveLength(3)
    // A colleague's change renders the list again; no list contains the new orders yet.
    const [first = order('gone')] = desk.orders
    await act(async () => cacheOrder(queries, moved(first, 'in-progress')))
    await within(rows()[0] ?? document.body).findByText('Processing')
    expect(screen.getByRole('button', { name: 'Show them' })).toBeTruthy()
    const countRequests = shop.to(countOrders).length
    await act(async () => arrival.emit())
    await vi.waitFor(() => expect(shop.to(countOrders).length).toBeGreaterThan(countRequests))
    expect(screen.getByRole('button', { name: 'Show them' })).toBeTruthy()
    desk.orders = [order('NEW1'), order('NEW2'), ...desk.orders]
    desk.listedAt = '2026-11-21T07:05:00.000Z'
    fireEvent.click(show)
    await screen.findByText('Customer NEW1')
    expect(screen.queryByRole('button', { name: 'Show them' })).toBeNull()
  })

  it('shows a driver neither the driver column nor checkboxes', async () => {
    await open('/here', { ...me, role: 'driver', permissions: ['orders.read', 'orders.status'] })
    expect(screen.queryByRole('columnheader', { name: 'Driver' })).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  })

  it('keeps the day filter when a view is chosen', async () => {
    const { search } = await open('/here?from=2026-11-10&to=2026-11-12&by=promised&vendor=1')
    fireEvent.click(button('Views'))
    fireEvent.click(button(/^On the way · .*10.*12/))
    await vi.waitFor(() => expect(search()).toBe('?from=2026-11-10&to=2026-11-12&by=promised&status=shipped'))
    // The address alone says which view it is.
    expect(button(/^Views: On the way · .*10.*12/)).toBeTruthy()
  })
})

describe('the delivery day', () => {
  const chip = (name: RegExp) =>
    within(screen.getByRole('navigation', { name: 'Orders by delivery day' })).getByRole('link', { name })
  const asked = () => shop.to(listOrders).map(({ query }) => [query.get('day'), query.get('sort')])

  it('is the next one with work if the address has no filter, and stays in the address', async () => {
    desk.day = '2026-11-24'
    const { search } = await open()
    await vi.waitFor(() => expect(search()).toBe('?day=2026-11-24'))
    expect(asked()[0]).toEqual(['next', 'due'])
    expect(chip(/^Tuesday 24 November/).getAttribute('aria-current')).toBe('page')
    fireEvent.click(screen.getByRole('link', { name: /^New/ }))
    await vi.waitFor(() => expect(search()).toBe('?day=2026-11-24&status=new'))
  })

  it('is chosen by chips, which combine with those of late, failed and unassigned orders', async () => {
    const { search } = await open('/here?day=2026-11-21&vendor=1&status=new')
    expect(chip(/^Today, Saturday 21 ?3$/).getAttribute('aria-current')).toBeTruthy()
    expect(chip(/^Failed$/)).toBeTruthy()
    expect(chip(/^No driver ?1000\+$/)).toBeTruthy()
    fireEvent.click(chip(/^No driver/))
    await vi.waitFor(() => expect(search()).toBe('?day=2026-11-21&vendor=1&attention=unassigned'))
    expect(shop.to(listOrders).at(-1)?.query.get('attention')).toBe('unassigned')
    expect(chip(/^Today/).getAttribute('aria-current')).toBeTruthy()
    fireEvent.click(chip(/^Tomorrow ?31$/))
    await vi.waitFor(() => expect(search()).toBe('?day=2026-11-22&vendor=1&attention=unassigned'))
    // Late orders are in the list of today alone.
    fireEvent.click(chip(/^Late ?2$/))
    await vi.waitFor(() => expect(search()).toBe('?day=2026-11-21&vendor=1&attention=late'))
    fireEvent.click(chip(/^Late ?2$/))
    await vi.waitFor(() => expect(search()).toBe('?day=2026-11-21&vendor=1'))
    fireEvent.click(chip(/^All days$/))
    await vi.waitFor(() => expect(asked().at(-1)).toEqual([null, '-createdAt']))
  })

  it('is left by a search, which looks through all days', async () => {
    const { search } = await open('/here?day=2026-11-21')
    fireEvent.change(screen.getByRole('textbox', { name: /^Order, phone/ }), { target: { value: 'noura' } })
    await vi.waitFor(() => expect(search()).toBe('?q=noura'))
  })

  it('is not chosen for drivers and sales agents', async () => {
    await open('/here', { ...me, role: 'driver', permissions: ['orders.read', 'orders.status'] })
    expect(asked()[0]).toEqual([null, '-createdAt'])
    expect(screen.queryByRole('navigation', { name: 'Orders by delivery day' })).toBeNull()
  })

  it('of a late or failed order says so in the row', async () => {
    const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString()
    desk.orders = [
      order('K7QM', { promisedDate: days(2).slice(0, 10) }),
      order('LATE', { promisedDate: days(5).slice(0, 10), status: 'delivered' }),
      order('FAIL', { promisedDate: days(2).slice(0, 10), failedAttempts: 1, lastAttemptAt: days(0) }),
    ]
    await open()
    expect(within(rows()[0] ?? document.body).getByText(/^[23] days late$/)).toBeTruthy()
    expect(within(rows()[1] ?? document.body).queryByText(/late/)).toBeNull()
    expect(within(rows()[2] ?? document.body).getByText('Failed today')).toBeTruthy()
  })
})

describe('one order', () => {
  it('labels the next action and sends the version that was shown', async () => {
    await open()
    fireEvent.click(screen.getByText('Customer P4WN'))
    const next = await panel().findByRole('button', { name: 'Hand to Bilal, mark shipped' })
    shop.on(changeOrderStatus, () => {
      desk.orders = desk.orders.map((one) => (one.id.startsWith('P4WN') ? moved(one, 'shipped') : one))
      return desk.orders[1] ?? order('gone')
    })
    fireEvent.click(next)
    const deliver = await panel().findByRole('button', { name: 'Mark delivered' })
    await leave()
    expect(desk.statusCalls('P4WN')).toEqual([{ status: 'shipped', version: 1 }])
    // The row shows the new status.
    expect(within(rows()[1] ?? document.body).getByText('Shipped')).toBeTruthy()
    // Cash is due: nothing is sent before the question is answered.
    fireEvent.click(deliver)
    const question = within(screen.getByRole('dialog', { name: 'Who has the cash?' }))
    expect(question.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['With the driver: Bilal Hussain', 'At the office', 'Not collected yet']),
    )
    expect(document.activeElement?.textContent).toBe('With the driver: Bilal Hussain')
    expect(desk.statusCalls('P4WN')).toHaveLength(1)
    fireEvent.click(question.getByRole('button', { name: 'At the office' }))
    await screen.findByText('1 order: Delivered')
    await leave()
    expect(desk.statusCalls('P4WN')[1]).toEqual({ status: 'delivered', cashHeldBy: 'office', version: 2 })
  })

  it('shows who changed the order first, and its current state', async () => {
    await open()
    fireEvent.click(screen.getByText('Customer K7QM'))
    const next = await panel().findByRole('button', { name: 'Start preparing' })
    shop.on(changeOrderStatus, () => refusal('VERSION_CONFLICT', { version: 2 }))
    shop.on(getTimeline, () => [
      {
        id: 9,
        at: '2026-11-21T07:00:00.000Z',
        action: 'updated',
        field: 'status',
        from: 'new',
        to: 'cancelled',
        notes: null,
        by: { id: 3, name: 'Ali', role: 'vendor_staff' },
        onBehalfOf: null,
        fromName: null,
        toName: null,
      },
    ])
    desk.orders = desk.orders.map((one) => (one.id.startsWith('K7QM') ? moved(one, 'cancelled') : one))
    fireEvent.click(next)
    await screen.findByText('1 order: Processing')
    await leave()
    const alert = await panel().findByRole('alert')
    expect(alert.textContent).toBe('Ali changed this order a moment ago: New to Cancelled. Here is the new state.')
    expect(panel().getByText('Cancelled')).toBeTruthy()
    expect(panel().queryByRole('button', { name: 'Start preparing' })).toBeNull()
  })

  it('can be assigned to a driver from its panel', async () => {
    desk.orders = [order('K7QM', { status: 'in-progress' })]
    const view = await open()
    fireEvent.click(screen.getByText('Customer K7QM'))
    const areas = ['Seef', 'Adliya', 'Tubli', 'Sitra', 'Hidd'].map((name) => ({ name, nameAr: null }))
    // Seven drivers, so that they can be searched.
    const drivers = ['Zaid', 'Basim', 'Bilal Hussain', 'Ali', 'Adel', 'Raed', 'Yusuf'].map((name, at) => {
      const day = { orders: at, units: 9, areas: name === 'Ali' ? areas : areas.slice(0, 1) }
      return { ...bilal, id: name.startsWith('Bilal') ? 21 : at + 30, name, vendorId: 1, openOrders: 3, day }
    })
    shop.on(listDrivers, () => refusal('INTERNAL'))
    await act(async () => void view.queries.resetQueries({ queryKey: [listDrivers.path] }))
    fireEvent.click(await panel().findByRole('button', { name: 'Choose a driver' }))
    const again = await within(screen.getByRole('dialog')).findByRole('button', { name: 'Try again' })
    shop.on(listDrivers, () => drivers)
    fireEvent.click(again)
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText(/^For order K7QM.* · 2 units$/)).toBeTruthy()
    expect((await dialog.findAllByRole('button', { name: /order/ })).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Adel'),
      expect.stringContaining('AliSeef, Adliya, Tubli, and 2 more areas'),
      expect.stringMatching(/Basim.*Seef.*1 order9 units/),
      ...Array.from({ length: 4 }, () => expect.any(String)),
    ])
    fireEvent.change(dialog.getByRole('textbox', { name: 'Search drivers' }), { target: { value: 'bil' } })
    expect(dialog.queryByRole('button', { name: /Basim/ })).toBeNull()
    shop.on(assignDriver, () => {
      desk.orders = [{ ...order('K7QM'), status: 'in-progress', driver: bilal, assignedDriverId: 21, version: 2 }]
      return desk.orders[0] ?? order('gone')
    })
    fireEvent.click(await within(screen.getByRole('dialog')).findByRole('button', { name: /Bilal Hussain/ }))
    await panel().findByRole('button', { name: 'Hand to Bilal, mark shipped' })
  })

  it('asks for confirmation and a reason before cancelling', async () => {
    await open()
    fireEvent.click(screen.getByText('Customer K7QM'))
    fireEvent.click(await panel().findByRole('button', { name: 'Cancel order' }))
    expect(desk.statusCalls('K7QM')).toEqual([])
    shop.on(changeOrderStatus, () => moved(desk.orders[0] ?? order('gone'), 'cancelled'))
    const dialog = within(screen.getByRole('dialog'))
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'Asked by phone' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel it' }))
    await panel().findByText('Cancelled')
    await leave()
    expect(desk.statusCalls('K7QM')).toEqual([{ status: 'cancelled', notes: 'Asked by phone', version: 1 }])
  })
})

describe('several orders', () => {
  it('move together; each refused order is listed with its reason', async () => {
    await open()
    for (const box of screen.getAllByRole('checkbox', { name: /order/ }).slice(0, 2)) fireEvent.click(box)
    shop.on(changeManyOrders, ({ body }) => {
      const [first = '', second = ''] = (body as { ids: string[] }).ids
      const nothing = { status: null, driverId: null, version: null }
      return {
        changed: 1,
        results: [
          { id: first, code: null, status: 'shipped' as const, driverId: null, version: 2 },
          { id: second, code: 'ILLEGAL_TRANSITION', ...nothing },
        ],
      }
    })
    fireEvent.click(button('Mark shipped'))
    await screen.findByText('2 orders: Shipped')
    expect(rows().map((row) => within(row).queryAllByText('Shipped').length)).toEqual([1, 1, 0])
    expect(shop.to(changeManyOrders)).toEqual([])
    await leave()
    await screen.findByText('P4WN: This order cannot move there any more.')
    expect(rows().map((row) => within(row).queryAllByText('Shipped').length)).toEqual([0, 0, 0])
    expect(shop.to(changeManyOrders)[0]?.body).toEqual({
      ids: ['K7QM222222222222', 'P4WN222222222222'],
      status: 'shipped',
    })
  })

  it('are unchanged, and no request is sent, if undone in time', async () => {
    await open()
    for (const box of screen.getAllByRole('checkbox', { name: /order/ }).slice(0, 2)) fireEvent.click(box)
    shop.on(changeManyOrders, () => ({ changed: 0, results: [] }))
    // The other one of this name is the filter.
    fireEvent.click(screen.getAllByRole('button', { name: 'Assign a driver' }).at(-1) ?? document.body)
    fireEvent.click(await within(screen.getByRole('dialog')).findByRole('button', { name: /Bilal/ }))
    expect(within(rows()[0] ?? document.body).getByRole('button', { name: /Bilal/ })).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('As it was before')
    expect(within(rows()[0] ?? document.body).queryByRole('button', { name: /Bilal/ })).toBeNull()
    expect(screen.getAllByRole('checkbox', { name: /order/, checked: true })).toHaveLength(2)
    await leave()
    expect(shop.to(changeManyOrders)).toEqual([])
  })

  it('are selected by "select all" only if still open', async () => {
    const { can } = order('DONE')
    const closed = { ...can, changeStatus: [], assign: false }
    desk.orders = [order('K7QM'), order('DONE', { status: 'cancelled', can: closed }), order('P4WN')]
    await open()
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select every row of this page' }))
    await screen.findByText('2 selected')
    expect(rows().map((row) => within(row).getByRole<HTMLInputElement>('checkbox', { hidden: true }).checked)).toEqual([
      ...[true, false, true],
    ])
  })

  it('that cannot make the move are listed at once and not sent', async () => {
    const { can } = order('DONE')
    desk.orders = [order('K7QM'), order('DONE', { status: 'in-progress', can: { ...can, changeStatus: [] } })]
    await open()
    for (const box of screen.getAllByRole('checkbox', { name: /order/ })) fireEvent.click(box)
    shop.on(changeManyOrders, () => ({ changed: 1, results: [] }))
    fireEvent.click(button('Mark shipped'))
    await screen.findByText('DONE: This order cannot move there any more.')
    await screen.findByText('1 order: Shipped')
    await leave()
    expect(shop.to(changeManyOrders).map(({ body }) => body)).toEqual([
      { ids: ['K7QM222222222222'], status: 'shipped' },
    ])
  })

  it('with cash due are marked delivered after the question who holds the cash is answered', async () => {
    desk.orders = [
      order('K7QM', { status: 'shipped', driver: bilal, assignedDriverId: 21 }),
      order('PAID', { paymentStatus: 'paid' }),
    ]
    await open()
    for (const box of screen.getAllByRole('checkbox', { name: /order/ })) fireEvent.click(box)
    shop.on(changeManyOrders, () => ({ changed: 2, results: [] }))
    const deliver = button('Mark delivered')
    fireEvent.click(deliver)
    const question = () => within(screen.getByRole('dialog', { name: 'Who has the cash?' }))
    // The question does not count the paid order.
    expect(question().getByText(/^1 order, BHD.?5\.650 in cash/)).toBeTruthy()
    fireEvent.click(question().getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    fireEvent.click(deliver)
    fireEvent.click(question().getByRole('button', { name: 'With the driver: Bilal Hussain' }))
    await screen.findByText('2 orders: Delivered')
    await leave()
    expect(shop.to(changeManyOrders).map(({ body }) => body)).toEqual([
      { ids: ['K7QM222222222222', 'PAID222222222222'], status: 'delivered', cashHeldBy: 'driver' },
    ])
  })
})
