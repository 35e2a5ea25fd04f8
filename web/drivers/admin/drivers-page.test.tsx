import { listCorrections, listVat } from '@qatra/contract/corrections'
import { type BoardDay, type BoardStop, listDriverDays } from '@qatra/contract/driver-board'
import { getCash, listDrivers, writeCash } from '@qatra/contract/drivers'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { cancelVisit, changeVisit, listVisits, type Visit } from '@qatra/contract/visits'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, openDays, refusal } from '../../checkout/test-shop.tsx'
import { fetchKey } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { Toasts } from '../../ui/Toast.tsx'
import { page as reportsPage } from './corrections/CorrectionsPage.tsx'
import { DriverPanel } from './DriverPanel.tsx'
import { page } from './DriversPage.tsx'

const driver = { id: 7, name: 'Raid Salman', phone: '+97336000007', vendorId: 1 }
const cashOf = (collected: number) => ({
  expected: 20,
  collected,
  counted: null,
  handedOver: 0,
  inHand: collected,
  difference: null,
})
const row = (collected: number) => ({
  driver,
  cash: cashOf(collected),
  isActive: true,
  lastActAt: null,
  heardAt: null,
  run: [],
})
const moment = { date: '2026-11-20', today: '2026-11-20', now: '2026-11-20T09:00:00.000Z' }
let shop: FakeShop

function Shown() {
  const queries = useQueryClient()
  const [collected, setCollected] = useState(5)
  useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey, staleTime: Infinity, retry: false } }))
  return (
    <>
      <button type="button" onClick={() => setCollected(8)}>
        delivered
      </button>
      <DriverPanel row={row(collected) as never} moment={moment} onClose={() => {}} />
    </>
  )
}

beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a delivery while the panel is open renews cash and entries', async () => {
  shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
  await renderInAdmin(Shown)
  expect(await screen.findAllByText(/5\.000/)).toHaveLength(2)
  shop.on(getCash, () => ({ ...cashOf(8), entries: [] }) as never)
  fireEvent.click(screen.getByRole('button', { name: 'delivered' }))
  expect(await screen.findAllByText(/8\.000/)).toHaveLength(2)
})

it('a correction asks whether cash is missing or too much, and sends the sign', async () => {
  const sent: unknown[] = []
  shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
  shop.on(writeCash, ({ body }) => {
    sent.push(body)
    return { ...cashOf(5), entries: [] } as never
  })
  await renderInAdmin(Shown)
  for (const [direction, button] of [
    ['Short', /^Record BHD.0\.500 short$/],
    ['Over', /^Record BHD.0\.500 over$/],
  ] as const) {
    fireEvent.click(await screen.findByRole('button', { name: 'Correction' }))
    fireEvent.click(screen.getByRole('radio', { name: direction }))
    fireEvent.change(screen.getByLabelText('How much?'), { target: { value: '0.5' } })
    fireEvent.change(screen.getByLabelText(/reason/i), { target: { value: 'Counted again' } })
    fireEvent.click(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(sent).toMatchObject([
    { kind: 'correction', amount: -0.5 },
    { kind: 'correction', amount: 0.5 },
  ])
})

it('entries that cannot be read are no empty list, and can be read again', async () => {
  shop.on(getCash, () => refusal('UNAVAILABLE'))
  await renderInAdmin(Shown)
  const again = await screen.findByRole('button', { name: /try|again|retry/i })
  shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
  fireEvent.click(again)
  expect(await screen.findByText(/^No /)).toBeDefined()
})

describe('the board of a day', () => {
  const now = '2026-11-20T09:20:00.000Z'
  const stop = (id: string, more: Partial<BoardStop> = {}): BoardStop => ({
    id,
    status: 'shipped',
    customerName: `Customer ${id}`,
    areaName: 'Budaiya',
    areaNameAr: 'البديع',
    block: '555',
    mapCoordinates: { lat: 26.2, lng: 50.5 },
    visit: null,
    units: 4,
    at: null,
    ...more,
  })
  const delivered = (id: string, at: string) => stop(id, { status: 'delivered', at })
  const day = (id: number, name: string, more: Partial<BoardDay>): BoardDay => ({
    driver: { id, name, phone: `+9733600000${id}`, vendorId: 1 },
    isActive: true,
    stops: { all: 4, delivered: 1, attempted: 1, cancelled: 0 },
    cash: { ...cashOf(5), writtenOff: 0, shortage: 0 },
    lastActAt: '2026-11-20T09:00:00.000Z',
    heardAt: '2026-11-20T09:19:00.000Z',
    isWorking: true,
    run: [
      delivered('A', '2026-11-20T08:00:00.000Z'),
      stop('B', { at: '2026-11-20T09:00:00.000Z' }),
      stop('C'),
      stop('D'),
    ],
    ...more,
  })
  const drivers = [
    day(7, 'Raid Salman', {}),
    day(8, 'Adel Jaafar', { heardAt: '2026-11-20T08:32:00.000Z' }),
    day(9, 'Hasan Madan', {
      run: [delivered('E', '2026-11-20T09:05:00.000Z')],
      stops: { all: 1, delivered: 1, attempted: 0, cancelled: 0 },
    }),
    day(5, 'Zaid Ali', { run: [], lastActAt: null, stops: { all: 0, delivered: 0, attempted: 0, cancelled: 0 } }),
  ]
  const answer = (date = '2026-11-20') => ({ date, today: '2026-11-20', now, drivers })
  function Board() {
    const queries = useQueryClient()
    useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey, staleTime: Infinity, retry: false } }))
    const { Component } = page
    return (
      <>
        <Component />
        <Toasts />
      </>
    )
  }
  const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))

  it('shows run, next stop, load and cash of every driver, and which phone is silent', async () => {
    shop.on(listDriverDays, () => answer())
    await renderInAdmin(Board, { at: '/admin/drivers', path: '/admin/drivers' })
    const raid = await rowOf('Raid Salman')
    expect(raid.getByRole('img').getAttribute('aria-label')).toBe('1 delivered, 1 next, 1 failed, 1 left')
    expect(raid.getByText('Customer C')).toBeDefined()
    expect(raid.getByText('Budaiya 555 · stop 3')).toBeDefined()
    expect(raid.getByText('20 min ago')).toBeDefined()
    expect(raid.getByText('of 16 units').parentElement?.textContent).toBe('12 of 16 units')
    const adel = await rowOf('Adel Jaafar')
    expect(adel.getByText('Silent for 48 min')).toBeDefined()
    expect(adel.getByText('Last act: Budaiya 555')).toBeDefined()
    const hasan = await rowOf('Hasan Madan')
    expect(hasan.getByText(/^Finished /)).toBeDefined()
    expect(hasan.getByText('Cash to hand over')).toBeDefined()
    expect((await rowOf('Zaid Ali')).getByText('No stops')).toBeDefined()
    const names = screen.getAllByRole('row').map((row) => row.textContent ?? '')
    expect(names.at(-1)).toContain('Zaid Ali')
    const attention = within(screen.getByRole('region', { name: 'Needs a look' }))
    expect(attention.getAllByRole('button')).toHaveLength(3)
  })

  it('opens the run of a driver, changes the day and keeps the list with the cash', async () => {
    shop.on(listDriverDays, ({ query }) => answer(query.get('date') ?? undefined))
    shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
    const { search } = await renderInAdmin(Board, { at: '/admin/drivers', path: '/admin/drivers' })
    fireEvent.click(await screen.findByText('Raid Salman'))
    const panel = within(await screen.findByRole('complementary', { name: 'Raid Salman' }))
    const stops = within(panel.getAllByRole('list')[1] as HTMLElement).getAllByRole('link')
    expect(stops.map((link) => link.getAttribute('href'))).toEqual(
      ['A', 'B', 'C', 'D'].map((id) => `/admin/orders?open=${id}`),
    )
    fireEvent.click(screen.getByRole('radio', { name: 'List' }))
    expect(await screen.findByRole('columnheader', { name: 'Difference' })).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Next day' }))
    await screen.findByText(/21 November/)
    expect(search()).toBe('?driver=7&view=list&date=2026-11-21')
  })

  const asPlanner = { ...sara, permissions: ['customers.read', 'orders.assign', 'orders.status'] as never }
  const visitOf = (id: number, more: Partial<Visit>) =>
    ({
      id,
      vendorId: 1,
      kind: 'collect-bottles',
      status: 'open',
      date: '2026-11-20',
      customerId: 6,
      customerName: 'Noura',
      address: 'Villa 4',
      areaName: 'Budaiya',
      areaNameAr: null,
      bottles: 3,
      note: 'By the gate',
      driver: null,
      isRequested: true,
      bookedOn: null,
      ...more,
    }) as Visit

  it('lists the visits without a driver, which are given to one, moved, and cancelled with a way back', async () => {
    const sent: unknown[] = []
    let items = [visitOf(12, {}), visitOf(13, { driver: { id: 7, name: 'Raid' }, customerName: 'Given' })]
    shop.on(listDriverDays, () => answer())
    shop.on(listDrivers, () => [{ ...driver, day: { orders: 0, units: 0, areas: [] } }] as never)
    shop.on(listVisits, () => ({ date: '2026-11-20', items }))
    shop.on(getDeliveryDays, () => openDays)
    shop.on(changeVisit, ({ body }) => {
      sent.push(body)
      return items[0] as Visit
    })
    shop.on(cancelVisit, () => {
      items = []
      return { success: true as const }
    })
    await renderInAdmin(Board, { at: '/admin/drivers', path: '/admin/drivers', user: asPlanner })
    const list = within(await screen.findByRole('region', { name: 'Visits without a driver' }))
    const open = async () => {
      fireEvent.click(list.getByRole('button'))
      return within(await screen.findByRole('dialog', { name: 'Noura' }))
    }
    expect(list.getByRole('button').textContent).toBe('Noura · Budaiya · 3 empties · By the gateCollect empties')
    let dialog = await open()
    await waitFor(() => expect(dialog.getByLabelText<HTMLSelectElement>('Driver').options).toHaveLength(2))
    fireEvent.change(dialog.getByLabelText('Driver'), { target: { value: '7' } })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    dialog = await open()
    const days = dialog.getByLabelText<HTMLSelectElement>('Day')
    await waitFor(() => expect(days.options.length).toBeGreaterThan(1))
    const other = [...days.options].find(({ value }) => value !== days.value)?.value
    fireEvent.change(days, { target: { value: other } })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    dialog = await open()
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel the visit' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Visits without a driver' })).toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sent).toEqual([{ driverId: 7 }, { date: other }, { status: 'open' }]))
  })

  it('opens a visit of a run in its dialog', async () => {
    const done = visitOf(12, { status: 'done', driver: { id: 7, name: 'Raid' }, bookedOn: '2026-11-20' })
    const run = [stop('visit-12', { visit: 'collect-bottles', customerName: 'Noura', units: 0 })]
    shop.on(listDriverDays, () => ({ ...answer(), drivers: [day(7, 'Raid Salman', { run })] }))
    shop.on(listVisits, () => ({ date: '2026-11-20', items: [done] }))
    shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
    const at = '/admin/drivers?driver=7'
    await renderInAdmin(Board, { at, path: '/admin/drivers', user: asPlanner })
    const panel = within(await screen.findByRole('complementary', { name: 'Raid Salman' }))
    const line = await panel.findByRole('button', { name: /Noura.*Collect empties/ })
    await waitFor(() => expect(line).toHaveProperty('disabled', false))
    fireEvent.click(line)
    const dialog = within(await screen.findByRole('dialog', { name: 'Noura' }))
    expect(dialog.getByText(/^Done on/)).toBeDefined()
    expect(dialog.queryByLabelText('Driver')).toBeNull()
  })

  it('can be read again after an error', async () => {
    shop.on(listDriverDays, () => refusal('UNAVAILABLE'))
    await renderInAdmin(Board, { at: '/admin/drivers', path: '/admin/drivers' })
    const again = await screen.findByRole('button', { name: /try|again|retry/i })
    shop.on(listDriverDays, () => answer())
    fireEvent.click(again)
    expect(await screen.findByText('Raid Salman')).toBeDefined()
  })
})

it('the differences of a month name each driver with the days, what was written off and what is left', async () => {
  const driver = { id: 7, name: 'Raid Salman' }
  const days = [
    { date: '2026-11-03', amount: -0.5 },
    { date: '2026-11-20', amount: 0.2 },
  ]
  shop.on(listCorrections, () => ({
    rows: [],
    sums: [],
    drivers: [{ driver, vendorId: 1, days, shortage: -0.5, over: 0.2, writeOff: 0.1, left: -0.2 }],
  }))
  function Reports() {
    const queries = useQueryClient()
    useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey, staleTime: Infinity, retry: false } }))
    const { Component } = reportsPage
    return <Component />
  }
  await renderInAdmin(Reports, { at: '/here?view=drivers&from=2026-11-01&to=2026-11-30' })
  const row = within(await screen.findByRole('row', { name: /Raid Salman/ }))
  expect(row.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    days.map(({ date }) => `/admin/day?date=${date}`),
  )
  expect(
    row
      .getAllByRole('cell')
      .map(({ textContent }) => /\d+\.\d{3}$/.exec(textContent ?? '')?.[0])
      .slice(2),
  ).toEqual(['0.500', '0.200', '0.100', '0.200'])
})

it('the VAT report has a row for each paper and rate with a link to its order, and sums of all pages', async () => {
  const paper = { vendorId: 1, date: '2026-11-20', orderId: '9HXR4TVCM2KE7QWA' }
  shop.on(listVat, ({ query }) => {
    expect(String(query)).toContain('from=2026-11-01&to=2026-11-30')
    return {
      rows: [
        { ...paper, kind: 'invoice' as const, number: '1-000001', rate: 10, net: 4.5, vat: 0.45 },
        { ...paper, kind: 'creditNote' as const, number: 'CN-1-000001', rate: 10, net: -4.5, vat: -0.45 },
        { ...paper, kind: 'forfeit' as const, number: '#77', orderId: null, rate: 10, net: 3.636, vat: 0.364 },
      ],
      total: 612,
      sums: {
        net: 3.636,
        vat: 0.364,
        rates: [{ rate: 10, net: 3.636, vat: 0.364 }],
        kinds: [{ kind: 'forfeit' as const, count: 1, net: 3.636, vat: 0.364 }],
      },
    }
  })
  function Reports() {
    const queries = useQueryClient()
    useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey, staleTime: Infinity, retry: false } }))
    const { Component } = reportsPage
    return <Component />
  }
  await renderInAdmin(Reports, { at: '/here?view=vat&from=2026-11-01&to=2026-11-30' })
  const credit = within(await screen.findByRole('row', { name: /CN-1-000001/ }))
  expect(credit.getByRole('link').getAttribute('href')).toBe('/admin/orders/9HXR4TVCM2KE7QWA')
  expect(credit.getByText(/^-BHD.4\.500$/)).toBeDefined()
  expect(within(screen.getByRole('row', { name: /#77/ })).queryByRole('link')).toBeNull()
  expect(screen.getByText('1–500', { exact: false }).textContent).toContain('612')
  expect(screen.getAllByText('0.364', { exact: false }).length).toBeGreaterThanOrEqual(4)
})
