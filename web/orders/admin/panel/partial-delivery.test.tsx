import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusal } from '../../../checkout/test-shop.tsx'
import { page } from '../desk/OrdersPage.tsx'
import { bilal, leave, openPage, order, panel, setUpDesk, type TestDesk, tearDownDesk } from '../desk/test-desk.tsx'

let desk: TestDesk
beforeEach(() => {
  desk = setUpDesk()
  desk.orders = [order('K7QM', { status: 'shipped', driver: bilal, assignedDriverId: 21 })]
})
afterEach(tearDownDesk)

async function openOrder() {
  await openPage(page.Component)
  fireEvent.click(screen.getByText('Customer K7QM'))
  await panel().findByRole('button', { name: 'Mark delivered' })
}
const part = () => panel().queryByRole('button', { name: 'More or fewer' })
const dialog = (name: string) => within(screen.getByRole('dialog', { name }))
const save = () => dialog('What did Customer K7QM receive?').getByRole('button', { name: /^Delivered ·/ })
const decrease = () => fireEvent.click(screen.getAllByRole('button', { name: 'One fewer' })[0] ?? document.body)

describe('a delivery in the panel', () => {
  it('is taken back with a reason by who may, in words of its own', async () => {
    const delivered = order('K7QM', { status: 'delivered' })
    const can = { ...delivered.can, changeStatus: [], takeBack: true }
    desk.orders = [{ ...delivered, can }, order('L8RN', { status: 'delivered', can: { ...can, takeBack: false } })]
    await openPage(page.Component)
    fireEvent.click(screen.getByText('Customer L8RN'))
    await panel().findByText('Customer L8RN')
    expect(panel().queryByRole('button', { name: 'Take delivery back' })).toBeNull()
    fireEvent.click(screen.getAllByText('Customer K7QM')[0] ?? document.body)
    fireEvent.click(await panel().findByRole('button', { name: 'Take delivery back' }))
    fireEvent.click(screen.getByRole('menuitem', { name: 'Shipped' }))
    const question = dialog('Take back the delivery of order K7QM?')
    fireEvent.click(question.getByRole('button', { name: 'Take it back' }))
    fireEvent.change(question.getByRole('textbox'), { target: { value: 'The wrong door' } })
    fireEvent.click(question.getByRole('button', { name: 'Take it back' }))
    await screen.findByText('1 order: Shipped')
    await leave()
    expect(desk.statusCalls('K7QM')).toEqual([{ status: 'shipped', notes: 'The wrong door', version: 1 }])
  })
})

describe('a partial delivery in the panel', () => {
  it('asks for the quantities, then who holds the cash of the new total, and sends both', async () => {
    await openOrder()
    fireEvent.click(part() ?? document.body)
    expect(save().getAttribute('aria-disabled')).toBe('true')
    decrease()
    // 2.500, VAT 10 %, no fee.
    expect(save().textContent).toMatch(/2\.750/)
    fireEvent.click(save())
    const question = dialog('Who has the cash?')
    expect(question.getByText(/BHD.?2\.750 in cash/)).toBeTruthy()
    fireEvent.click(question.getByRole('button', { name: 'With the driver: Bilal Hussain' }))
    await screen.findByText('1 order: Delivered')
    await leave()
    expect(desk.statusCalls('K7QM')).toEqual([
      { status: 'delivered', delivered: [{ itemId: 1, quantity: 1 }], cashHeldBy: 'driver', version: 1 },
    ])
  })

  it('cannot be nothing', async () => {
    await openOrder()
    fireEvent.click(part() ?? document.body)
    decrease()
    decrease()
    expect(save().getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText(/Nothing handed over\?/)).toBeTruthy()
  })

  it('that is refused says why', async () => {
    desk.shop.on(changeOrderStatus, () => refusal('PRODUCT_UNAVAILABLE'))
    await openOrder()
    fireEvent.click(panel().getByRole('button', { name: 'Mark delivered' }))
    fireEvent.click(dialog('Who has the cash?').getByRole('button', { name: 'With the driver: Bilal Hussain' }))
    await screen.findByText('1 order: Delivered')
    await leave()
    expect(await panel().findByText('One of the added products is no longer sold.')).toBeTruthy()
  })
})
