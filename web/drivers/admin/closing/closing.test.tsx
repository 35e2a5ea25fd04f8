import { type CashClosing, closeCash, getCashClosing, reopenCash } from '@qatra/contract/cash-closing'
import { writeCash } from '@qatra/contract/drivers'
import { type AdminOrderDetail, changePayment } from '@qatra/contract/orders/admin'
import { listPayments } from '@qatra/contract/orders/payments'
import type { User } from '@qatra/contract/users/auth'
import { writeVan } from '@qatra/contract/van'
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
  cash: {
    expected: 82.3,
    collected: 82.3,
    counted: null,
    handedOver: 0,
    inHand: 82.3,
    difference: null,
    writtenOff: 0,
    shortage: 0,
    ...cash,
  },
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
    paidBack: 0,
    notCollected: 0,
    otherDays: 0,
    unexplained: 0,
    withoutEntry: 0,
    paidBeyond: 0,
    unexplainedOrders: [],
    orders: 12,
    byHolder: [{ driverId: 7, means: { cash: 82.3 }, notCollected: 0 }],
  },
  bottles: [],
  bottleTypes: [],
  missing: { begun: true, openOrders: 0, cash: [{ driverId: 7, amount: 82.3 }] },
  ...more,
})
const expected = { full: 1, empty: 30 }
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
async function open(answer: CashClosing, permissions: User['permissions'] = ['orders.payment']) {
  shop.on(getCashClosing, () => answer)
  await renderInAdmin(Shown, { at: `/here?date=${date}`, user: { ...sara, permissions } })
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
    cleanup()
    const none = { expected: 0, collected: 0, handedOver: 0, inHand: 0 }
    const sums = { ...closing().sums, ...none, difference: 0 }
    await open(closing({ drivers: [raid(none)], sums, missing: complete }))
    expect(close().getAttribute('aria-disabled')).toBeNull()
    expect(screen.queryByText('Exact')).toBeNull()
    cleanup()
    await open(closing({ missing: { begun: true, openOrders: 2, cash: [{ driverId: 7, amount: 82.3 }] } }))
    expect(screen.getAllByText('Not counted yet').length).toBe(2)
    expect(screen.getByText('2 orders of the day are still open')).toBeTruthy()
    expect(screen.getByText('Raid Salman still has cash')).toBeTruthy()
    fireEvent.click(close())
    expect(shop.to({ ...closeCash, path })).toEqual([])
    const [receive] = screen.getAllByRole('button', { name: /^Receive BHD.82\.300$/ })
    fireEvent.click(receive ?? document.body)
    expect(await screen.findByRole('dialog', { name: 'Take the cash' })).toBeTruthy()
  })

  it('shows the bottles of each driver, and a difference with its orders, which does not hold up closing', async () => {
    const line = { driverId: 7, typeId: 2, loaded: 34, delivered: 33, returned: 30, count: null, expected }
    const bottleTypes = [{ id: 2, name: 'Gallon', nameAr: 'قارورة' }]
    const office = { ...line, driverId: null, loaded: 0, delivered: 6, returned: 6, counted: null, difference: null }
    const bottles = [{ ...line, counted: 29, difference: -1 }, office]
    await open(closing({ bottles, bottleTypes, missing: complete }))
    const row = screen.getByRole('row', { name: /Raid Salman/ })
    const texts = within(row).getAllByRole('cell').slice(-5)
    expect(texts.map((one) => one.textContent)).toEqual(['34', '33', '30', '29', '1 bottle short'])
    expect(within(row).getByRole('link', { name: '1 bottle short' }).getAttribute('href')).toContain('driver=7')
    expect(screen.getByRole('columnheader', { name: 'Bottles Gallon' })).toBeTruthy()
    const total = screen.getByRole('row', { name: /^Total/ })
    expect(
      within(total)
        .getAllByRole('cell')
        .slice(-5)
        .map((one) => one.textContent),
    ).toEqual(['34', '39', '36', '29', '1 bottle short'])
    expect(close().getAttribute('aria-disabled')).not.toBe('true')
  })

  it('counts a van for its driver, with a reason, and shows who has counted it', async () => {
    const line = { driverId: 7, typeId: 2, loaded: 34, delivered: 33, returned: 30, counted: null, difference: null }
    const bottleTypes = [{ id: 2, name: 'Gallon', nameAr: 'قارورة' }]
    const count = { full: 0, empty: 29, by: 'Sara Ali', reason: 'No battery' }
    await open(closing({ bottles: [{ ...line, count, expected }], bottleTypes }), ['drivers.run'])
    expect(screen.getByText('by Sara Ali')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Count again' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Count the van of Raid Salman' }))
    expect(['Full', 'Empty'].map((name) => dialog.getByLabelText<HTMLInputElement>(name).value)).toEqual(['1', '30'])
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Counted twice' } })
    shop.on(writeVan, () => refusal('VAN_COUNTED'))
    fireEvent.click(dialog.getByRole('button', { name: 'Record the count' }))
    expect(await dialog.findByText(/^Somebody else has just counted this van/)).toBeTruthy()
    const [sent] = shop.to({ ...writeVan, path: '/api/admin/drivers/7/van' })
    const own = { full: 1, empty: 30, before: { full: 0, empty: 29 }, reason: 'Counted twice' }
    expect(sent?.body).toMatchObject(own)
  })

  it('has deposits that were paid back in a column, so that each line and the total add up', async () => {
    const byHolder = [{ driverId: 7, means: { cash: 70.3 }, paidBack: 12, notCollected: 2 }]
    const sums = { delivered: 84.3, withDrivers: 70.3, paidBack: 12, notCollected: 2 }
    await open(closing({ equation: { ...closing().equation, ...sums, byHolder } }))
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(heads.slice(2, 5)).toEqual(['Cash', 'Paid back', 'Not collected'])
    for (const name of [/Raid Salman/, /^Total/]) {
      const cells = within(screen.getByRole('row', { name })).getAllByRole('cell')
      expect(cells.slice(1, 4).map(({ textContent }) => textContent)).toEqual(['70.300', '12.000', '2.000'])
    }
    cleanup()
    await open(closing())
    expect(screen.queryByRole('columnheader', { name: 'Paid back' })).toBeNull()
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

  it('shows what a driver is short of on all days, and lets who may refund write it off', async () => {
    const short = closing({ drivers: [raid({ inHand: 0, difference: -0.05, writtenOff: 0.1, shortage: 1.25 })] })
    await open(short)
    expect(screen.getByText('Short by 1.250 over all days')).toBeTruthy()
    expect(screen.getByText('0.100 written off')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Write it off' })).toBeNull()
    cleanup()
    await open(short, ['orders.refund'])
    fireEvent.click(screen.getByRole('button', { name: 'Write it off' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Write off a shortage of Raid Salman' }))
    const amount = dialog.getByLabelText<HTMLInputElement>('Amount to write off')
    expect(amount.value).toBe('1.250')
    fireEvent.change(amount, { target: { value: '2' } })
    fireEvent.click(dialog.getByRole('button', { name: /^Write off BHD.2\.000$/ }))
    expect(await dialog.findByText('Write the reason first.')).toBeTruthy()
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Agreed' } })
    shop.on(writeCash, () => refusal('MORE_THAN_SHORTAGE', { shortage: 1.25 }))
    fireEvent.click(dialog.getByRole('button', { name: /^Write off/ }))
    expect(await dialog.findByText(/^This is more than the driver is short of/)).toBeTruthy()
    const [sent] = shop.to({ ...writeCash, path: '/api/admin/drivers/7/cash' })
    expect(sent?.body).toMatchObject({ kind: 'written-off', amount: 2, notes: 'Agreed', vendorId: 1 })
    expect(sent?.body).not.toHaveProperty('date')
  })

  it('names the orders that nobody has explained, and takes either answer', async () => {
    const driver = { id: 7, name: 'Raid Salman' }
    const reportedBy = { name: 'Sara', isDriver: false }
    const facts = { customerName: 'Ali', deliveredAt: '2026-11-20T08:20:00.000Z', driver, reportedBy }
    const order = { ...facts, id: '7QK2T9AB', amount: 4.35, double: null }
    const sums = { unexplained: 4.35, withoutEntry: 4.35 }
    await open(closing({ missing: complete, equation: { ...closing().equation, ...sums, unexplainedOrders: [order] } }))
    expect(screen.getByText('1 step left')).toBeTruthy()
    expect(
      screen.getByText('Reported delivered by the office (Sara) at 11:20, without an entry for its amount'),
    ).toBeTruthy()
    shop.on(changePayment, () => ({}) as AdminOrderDetail)
    shop.on(getCashClosing, () => closing({ missing: complete }))
    fireEvent.click(screen.getByRole('button', { name: 'Record who received it' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLInputElement>(/^Amount received/).value).toBe('4.350')
    fireEvent.click(dialog.getByRole('button', { name: /^Record BHD.4\.350$/ }))
    expect(await dialog.findByText('Choose the means of payment')).toBeTruthy()
    const before = '2T9AB7QK2T9AB7QK'
    shop.on(listPayments, ({ query }) => ({ entries: [], due: 4.35, usedBefore: query.get('reference') && before }))
    fireEvent.change(dialog.getByLabelText('Means of payment'), { target: { value: 'benefitpay' } })
    fireEvent.change(dialog.getByLabelText(/^Reference/), { target: { value: '778899' } })
    expect(await dialog.findByText(/^This reference was recorded before, for order/)).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    fireEvent.click(screen.getByRole('button', { name: 'Not collected' }))
    await vi.waitFor(() => expect(close().getAttribute('aria-disabled')).toBeNull())
    const payment = { ...changePayment, path: `/api/admin/orders/${order.id}/payment` } as const
    expect(shop.to(payment).map(({ body }) => body)).toEqual([{ paymentStatus: 'unpaid' }])
  })

  it('keeps what is missing and what is too much apart, and cancels a record of money that was recorded twice', async () => {
    const facts = { customerName: 'Ali', deliveredAt: null, driver: null, reportedBy: null }
    const double = { office: { name: 'Huda', amount: 1.5, isOwn: false }, driver: { name: 'Raid', amount: 1.5 } }
    const sums = { unexplained: 14.115, withoutEntry: 15.615, paidBeyond: 1.5 }
    const unexplainedOrders = [
      { ...facts, id: '7QK2T9AB', amount: 15.615, double: null },
      { ...facts, id: '8QK2T9AB', amount: -1.5, double },
    ]
    const answer = closing({ missing: complete, equation: { ...closing().equation, ...sums, unexplainedOrders } })
    await open(answer)
    // In the red part and among the steps.
    expect(screen.getByText(/^BHD.15\.615 is not explained$/)).toBeTruthy()
    expect(screen.getByText(/^BHD.15\.615 not explained$/)).toBeTruthy()
    expect(screen.getAllByText(/^BHD.1\.500 too much was paid$/)).toHaveLength(2)
    expect(screen.queryByText(/14\.115/, { ignore: '.print\\:flex *' })).toBeNull()
    expect(screen.getByText(/^Maybe recorded twice: BHD.1\.500 by the office \(Huda\)/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'The office’s entry is wrong' })).toBeNull()
    cleanup()
    await open(answer, ['orders.payment', 'orders.refund'])
    fireEvent.click(screen.getByRole('button', { name: 'The office’s entry is wrong' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Is the office’s entry of BHD.1\.500 wrong\?$/ }))
    const confirm = dialog.getByRole('button', { name: 'The office’s entry is wrong' })
    fireEvent.click(confirm)
    const payment = { ...changePayment, path: '/api/admin/orders/8QK2T9AB/payment' } as const
    expect(shop.to(payment)).toEqual([])
    shop.on(changePayment, () => ({}) as AdminOrderDetail)
    fireEvent.change(dialog.getByLabelText(/reason/i), { target: { value: 'Same notes' } })
    fireEvent.click(confirm)
    await vi.waitFor(() =>
      expect(shop.to(payment).map(({ body }) => body)).toEqual([{ mistake: 'office', notes: 'Same notes' }]),
    )
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

  it('counts the drivers with cash in one line where they are many', async () => {
    const many = [1, 2, 3, 4].map((id) => ({
      ...raid({ inHand: 2 }),
      driver: { ...raid({}).driver, id, name: `Driver ${id}` },
    }))
    const cash = many.map(({ driver }) => ({ driverId: driver.id, amount: 2 }))
    await open(closing({ drivers: many, missing: { ...complete, cash } }))
    expect(screen.getByText('4 drivers still have cash')).toBeTruthy()
    expect(screen.queryByText(/still has cash/)).toBeNull()
    expect(screen.getAllByRole('button', { name: /^Receive BHD.2\.000$/ })).toHaveLength(4)
  })

  it('folds drivers whose cash matches to one line with its sum, which opens; the others are open', async () => {
    const one = (id: number, cash: Parameters<typeof raid>[0]) => ({
      ...raid(cash),
      driver: { ...raid({}).driver, id, name: `Driver ${id}` },
    })
    const exact = { handedOver: 82.3, inHand: 0, difference: 0 }
    const drivers = [one(1, exact), one(2, { ...exact, difference: -0.05, shortage: 0.05 }), one(3, {})]
    await open(closing({ drivers }))
    const [line, ...more] = screen.getAllByRole('button', { name: /Driver/, expanded: false })
    expect(more).toEqual([])
    expect(line?.textContent).toBe('Driver 182.300Exact')
    const cells = () =>
      screen.getByRole('row', { name: /^Driver 1/ }).querySelectorAll('td.max-md\\:not-print\\:hidden')
    expect(cells().length).toBeGreaterThan(3)
    fireEvent.click(line ?? document.body)
    expect(line?.getAttribute('aria-expanded')).toBe('true')
    // Not collected, of which there is nothing.
    expect(cells().length).toBe(1)
  })

  it('leaves out drivers who had neither stops nor money on the day', async () => {
    const none = { expected: 0, collected: 0, handedOver: 0, inHand: 0 }
    const rested = (id: number, name: string) => ({ id, name, phone: `+9733600000${id}`, vendorId: 1 })
    const noStops = { all: 0, delivered: 0, attempted: 0, cancelled: 0 }
    const idle = raid(none, { driver: rested(8, 'Bilal Hussain'), stops: noStops })
    const owing = raid({ ...none, inHand: 0.5 }, { driver: rested(9, 'Adel Jaffar'), stops: noStops })
    await open(closing({ drivers: [raid({}), idle, owing] }))
    const names = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(names.some((name) => name?.includes('Raid Salman'))).toBe(true)
    expect(names.some((name) => name?.includes('Adel Jaffar'))).toBe(true)
    expect(names.some((name) => name?.includes('Bilal Hussain'))).toBe(false)
  })

  it('says who opened it again and why, and has the vendor and lines for signatures on paper', async () => {
    const reopened = { at: '2026-11-20T15:10:00.000Z', by: 'Sara', reason: 'Counted twice' }
    // Also once it is closed again.
    await open(closing({ reopened, closed: { at: '2026-11-20T15:20:00.000Z', by: 'Ali' } }))
    expect(screen.getByText(/^Closed .* by Ali$/)).toBeTruthy()
    expect(screen.getByText(/^Opened again 6:10 PM by .?Sara.?: “.?Counted twice.?”$/)).toBeTruthy()
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
  const sums = { expected: 80, collected: 82.3, handedOver: 82, inHand: 0.3, difference: 2 }
  const counted = { ...sums, counted: null, writtenOff: 0, shortage: 0 }
  expect(isShortage(counted)).toBe(true)
  // 10.000 were collected after the handover.
  expect(isShortage({ ...counted, expected: 90, collected: 92.3, inHand: 10.3 })).toBe(false)
})
