import { type CashClosing, closeCash, getCashClosing, reopenCash } from '@qatra/contract/cash-closing'
import { writeCash } from '@qatra/contract/drivers'
import { type AdminOrderDetail, changePayment } from '@qatra/contract/orders/admin'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { fetchKey } from '../../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../../ui/Toast.tsx'
import { page } from './ClosingPage.tsx'
import { isShortage } from './closing.ts'

const date = '2026-11-20'
const path = `/api/admin/days/${date}/close`
let shop: FakeShop

beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

const raid = (
  cash: Partial<CashClosing['drivers'][number]['cash']>,
  more: Partial<CashClosing['drivers'][number]> = {},
) => ({
  driver: { id: 7, name: 'Raid Salman', phone: '+97336000007', vendorId: 1 },
  isActive: true,
  stops: { all: 13, delivered: 12, attempted: 1, cancelled: 0 },
  cash: { expected: 82.3, collected: 82.3, counted: null, handedOver: 0, inHand: 82.3, difference: null, ...cash },
  lastActAt: null,
  received: null,
  reasons: [],
  ...more,
})

const closing = (more: Partial<CashClosing> = {}): CashClosing => ({
  vendorId: 1,
  date,
  today: '2026-11-21',
  closed: null,
  reopened: null,
  vendorName: 'Hayrat',
  vendorNameAr: 'هيرات',
  drivers: [raid({})],
  sums: { stops: 13, delivered: 12, attempted: 1, expected: 82.3, handedOver: 0, difference: null, inHand: 82.3 },
  equation: {
    delivered: 82.3,
    withDrivers: 82.3,
    handedOver: 0,
    inOffice: 0,
    inOfficeBy: [],
    otherMeans: {},
    onAccount: 0,
    notCollected: 0,
    otherDays: 0,
    unexplained: 0,
    unexplainedOrders: [],
    orders: 12,
    byHolder: [{ driverId: 7, means: { cash: 82.3 }, notCollected: 0 }],
  },
  missing: { begun: true, openOrders: 0, cash: [{ driverId: 7, amount: 82.3 }] },
  ...more,
})
const complete = { begun: true, openOrders: 0, cash: [] }

function Shown() {
  const queries = useQueryClient()
  useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey } }))
  return (
    <>
      <page.Component />
      <Toasts />
    </>
  )
}
async function open(answer: CashClosing) {
  shop.on(getCashClosing, () => answer)
  await renderInAdmin(Shown, { at: `/here?date=${date}`, user: { ...sara, permissions: ['orders.payment'] } })
  await screen.findByRole('heading', { name: 'Cash' })
}
const close = () => screen.getByRole('button', { name: 'Close Friday' })

describe('the close of a day', () => {
  it('says what is missing, offers it, and cannot be closed before', async () => {
    await open(closing({ missing: { begun: true, openOrders: 2, cash: [{ driverId: 7, amount: 82.3 }] } }))
    expect(close().getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('2 steps left')).toBeTruthy()
    // Nobody has counted: nothing is exact.
    expect(screen.queryByText('Exact')).toBeNull()
    expect(screen.getAllByText('Not counted yet').length).toBe(2)
    expect(screen.getByText('2 orders of the day are still open')).toBeTruthy()
    expect(screen.getByText('Raid Salman still has cash')).toBeTruthy()
    fireEvent.click(close())
    expect(shop.to({ ...closeCash, path })).toEqual([])
    const [receive] = screen.getAllByRole('button', { name: /^Receive BHD.82\.300$/ })
    fireEvent.click(receive ?? document.body)
    expect(await screen.findByRole('dialog', { name: 'Take the cash' })).toBeTruthy()
  })

  it('asks for the reason of a difference after a handover', async () => {
    const handed = raid(
      { handedOver: 82.25, inHand: 0.05, difference: -0.05 },
      { received: { at: '2026-11-20T11:05:00.000Z', by: 'Sara' } },
    )
    await open(closing({ drivers: [handed], missing: { ...complete, cash: [{ driverId: 7, amount: 0.05 }] } }))
    expect(screen.getAllByText('BHD 0.050 short').length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: /^Receive/ })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Record 0.050 short' }))
    expect(await screen.findByRole('dialog', { name: /^Raid Salman is BHD.0\.050 short · why\?$/ })).toBeTruthy()
    const dialog = within(screen.getByRole('dialog'))
    shop.on(writeCash, () => ({ ...handed.cash, date, entries: [] }))
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'No change' } })
    fireEvent.click(dialog.getByRole('button', { name: /^Record BHD.0\.050 short$/ }))
    const entries = { ...writeCash, path: '/api/admin/drivers/7/cash' } as const
    await vi.waitFor(() =>
      expect(shop.to(entries).map(({ body }) => body)).toMatchObject([
        { kind: 'correction', amount: -0.05, notes: 'No change', date },
      ]),
    )
  })

  it('names the orders that nobody has explained, and takes either answer', async () => {
    const order = { id: '7QK2T9AB', customerName: 'Ali', deliveredAt: '2026-11-20T08:20:00.000Z', driver: null }
    const open4 = { ...closing().equation, unexplained: 4.35, unexplainedOrders: [{ ...order, amount: 4.35 }] }
    await open(closing({ missing: complete, equation: open4 }))
    expect(screen.getByText('1 step left')).toBeTruthy()
    expect(screen.getByText('Delivered by the office at 11:20, without an entry for its amount')).toBeTruthy()
    shop.on(changePayment, () => ({}) as AdminOrderDetail)
    shop.on(getCashClosing, () => closing({ missing: complete }))
    fireEvent.click(screen.getByRole('button', { name: 'Record who received it' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLInputElement>(/^Amount received/).value).toBe('4.350')
    fireEvent.click(dialog.getByRole('button', { name: /^Record BHD.4\.350$/ }))
    expect(await dialog.findByText('Choose the means of payment')).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    fireEvent.click(screen.getByRole('button', { name: 'Not collected' }))
    await vi.waitFor(() => expect(close().getAttribute('aria-disabled')).toBeNull())
    const payment = { ...changePayment, path: `/api/admin/orders/${order.id}/payment` } as const
    expect(shop.to(payment).map(({ body }) => body)).toEqual([{ paymentStatus: 'unpaid' }])
  })

  it('takes cash that came after an exact handover, and asks no reason for it', async () => {
    const later = raid(
      { handedOver: 80, inHand: 2.3, difference: 0 },
      { received: { at: '2026-11-20T11:05:00.000Z', by: 'Sara' } },
    )
    await open(closing({ drivers: [later], missing: { ...complete, cash: [{ driverId: 7, amount: 2.3 }] } }))
    expect(screen.getAllByRole('button', { name: /^Receive BHD.2\.300$/ })).toHaveLength(2)
    expect(screen.queryByText(/short/)).toBeNull()
  })

  it('says who opened it again and why, and has the vendor and lines for signatures on paper', async () => {
    await open(closing({ reopened: { at: '2026-11-20T15:10:00.000Z', by: 'Sara', reason: 'Counted twice' } }))
    expect(screen.getByText(/^Opened again .* by Sara: “Counted twice”$/)).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Hayrat', hidden: true })).toBeTruthy()
    expect(screen.getByText('Driver’s signature')).toBeTruthy()
    expect(screen.getByText('Received at the office')).toBeTruthy()
  })

  it('closes once nothing is missing, and opens again only with a reason', async () => {
    await open(closing({ missing: complete }))
    const closed = { at: '2026-11-20T15:00:00.000Z', by: 'Sara' }
    shop.on(closeCash, () => closing({ missing: complete, closed }))
    fireEvent.click(close())
    expect(await screen.findByText('Closed 6:00 PM by Sara')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Close Friday' })).toBeNull()

    shop.on(reopenCash, () => closing({ missing: complete }))
    fireEvent.click(screen.getByRole('button', { name: 'Open again' }))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(dialog.getByRole('button', { name: 'Open again' }))
    expect(shop.to({ ...reopenCash, path })).toEqual([])
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Counted twice' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Open again' }))
    expect(await screen.findByRole('button', { name: 'Close Friday' })).toBeTruthy()
    expect(shop.to({ ...reopenCash, path }).map(({ body }) => body)).toEqual([{ reason: 'Counted twice' }])
  })

  it('shows the new state if somebody changed it meanwhile', async () => {
    await open(closing({ missing: complete }))
    shop.on(closeCash, () => refusal('CASH_DAY_INCOMPLETE'))
    shop.on(getCashClosing, () => closing())
    fireEvent.click(close())
    expect(await screen.findByText('Something changed meanwhile. Look at it again.')).toBeTruthy()
    expect(await screen.findByText('Raid Salman still has cash')).toBeTruthy()
  })
})

it('what is missing of a handover is a shortage also where customers paid more than their totals', () => {
  const counted = { expected: 80, collected: 82.3, counted: null, handedOver: 82, inHand: 0.3, difference: 2 }
  expect(isShortage(counted)).toBe(true)
  // 10.000 were collected after the handover.
  expect(isShortage({ ...counted, expected: 90, collected: 92.3, inHand: 10.3 })).toBe(false)
})
