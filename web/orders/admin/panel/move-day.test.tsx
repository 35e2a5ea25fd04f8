import { changeManyOrders } from '@qatra/contract/orders/admin'
import { changePromise, listDayLoads } from '@qatra/contract/orders/delivery'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusal } from '../../../checkout/test-shop.tsx'
import { page as deskPage } from '../desk/OrdersPage.tsx'
import { leave, openPage, order, panel, rows, setUpDesk, type TestDesk, tearDownDesk } from '../desk/test-desk.tsx'

// Slow machines.
configure({ asyncUtilTimeout: 5_000 })

let desk: TestDesk
beforeEach(() => {
  desk = setUpDesk()
  desk.shop.on(getDeliveryDays, () =>
    ['2026-11-22', '2026-11-23'].map((date) => ({ date, windows: [], closedBefore: [] })),
  )
})
afterEach(tearDownDesk)

const open = (at: string) => openPage(deskPage.Component, { at })
const dialog = () => within(screen.getByRole('dialog'))

async function chooseMonday() {
  fireEvent.click(await dialog().findByRole('radio', { name: 'Monday 23 November' }))
  fireEvent.click(dialog().getByRole('button', { name: 'Move to Mon 23 Nov' }))
}

describe('moving the day on the desk', () => {
  it('of one order sends the day, the reason and the shown version', async () => {
    const first = order('K7QM')
    desk.shop.on(changePromise, () => ({ ...first, promisedDate: '2026-11-23', version: 2 }))
    await open(`/here?open=${first.id}`)
    fireEvent.click(await panel().findByRole('button', { name: 'Move the day' }))
    expect(dialog().getByRole('button', { name: 'Move the day' }).getAttribute('aria-disabled')).toBe('true')
    fireEvent.change(dialog().getByRole('textbox'), { target: { value: 'Road closed' } })
    await chooseMonday()
    await waitFor(() => expect(panel().getByText('Monday 23 November')).toBeTruthy())
    const [sent] = desk.shop.to({ ...changePromise, path: `/api/admin/orders/${first.id}/promise` })
    expect(sent?.body).toEqual({ date: '2026-11-23', version: 1, reason: 'Road closed' })
  })

  it('says how full each day is', async () => {
    const { id } = order('K7QM')
    desk.shop.on(listDayLoads, () => [{ date: '2026-11-23', orders: 48, units: 210 }])
    await open(`/here?open=${id}`)
    fireEvent.click(await panel().findByRole('button', { name: 'Move the day' }))
    fireEvent.click(await dialog().findByRole('radio', { name: 'Monday 23 November: 48 orders' }))
    expect(dialog().getByRole('radio', { name: 'Sunday 22 November: no orders' })).toBeTruthy()
    expect(dialog().getByText('48 orders · 210 units')).toBeTruthy()
  })

  it('of a day that was closed meanwhile says so in the panel', async () => {
    const { id } = order('K7QM')
    desk.shop.on(changePromise, () => refusal('DATE_NOT_AVAILABLE', { days: [] }))
    await open(`/here?open=${id}`)
    fireEvent.click(await panel().findByRole('button', { name: 'Move the day' }))
    await chooseMonday()
    expect(await panel().findByText('There is no delivery on this day. Choose another one.')).toBeTruthy()
  })

  it('of the selected orders is one request after the undo window', async () => {
    desk.shop.on(changeManyOrders, () => ({ changed: 2, results: [] }))
    await open('/here')
    for (const row of rows().slice(0, 2)) fireEvent.click(within(row).getByRole('checkbox'))
    fireEvent.click(screen.getByRole('button', { name: 'Move the day' }))
    await chooseMonday()
    await leave()
    const [sent] = desk.shop.to(changeManyOrders)
    const ids = desk.orders.slice(0, 2).map(({ id }) => id)
    expect(sent?.body).toEqual({ ids, promisedDate: '2026-11-23' })
  })
})
