import type { Run, RunStop } from '@qatra/contract/drivers'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { RunSheet } from './RunSheet.tsx'
import { StopCard } from './StopCard.tsx'
import { testRun } from './test-run.ts'

const about = {
  nameAr: null,
  size: '500ml',
  imageUrl: null,
  vatPercentage: 10,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
}
const stop: RunStop = {
  id: 'K7QM222222222222',
  customerId: 6,
  visit: null,
  number: 1,
  status: 'shipped',
  customerName: 'Maryam',
  phone: '+97336000006',
  receiverName: null,
  receiverPhone: null,
  payingWith: null,
  address: 'Block 428, road 2831',
  addressParts: null,
  mapCoordinates: { lat: 26.23, lng: 50.54 },
  pinSource: null,
  areaName: 'Seef',
  areaNameAr: 'السيف',
  instructions: null,
  vendorTint: null,
  items: [
    {
      ...about,
      id: 11,
      productId: 1,
      name: 'Water',
      price: 1.505,
      quantity: 5,
      orderedQuantity: null,
      bottleTypeId: null,
      bottleTerms: null,
      bottleDeposit: null,
      empties: null,
      orderedEmpties: null,
    },
  ],
  bottles: [],
  paymentMethod: 'cash',
  paymentStatus: 'pending',
  deliveryFee: 0.75,
  total: 9.028,
  amountPaid: 0,
  cashToCollect: 9.028,
  due: 9.028,
  cashCollected: null,
  collectedMeans: {},
  promisedDate: '2026-11-21',
  deliveredAt: null,
  version: 3,
  attempts: [],
  can: { deliver: true, attempt: true },
}
const deliver = vi.fn()
const juice = {
  ...about,
  id: 2,
  vendorId: 1,
  name: 'Juice',
  price: 0.9,
}
const show = (shown: RunStop, means: Run['means'] = ['cash'], more: Partial<Run> = {}) => {
  const state = { deliver, attempt: vi.fn(), run: { ...testRun([shown]), means, products: [juice], ...more } }
  return renderInAdmin(() => <StopCard stop={shown} state={state} />)
}
const inCash = (amount: number) => [{ means: 'cash', amount }]
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }))
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

beforeEach(() => {
  setUpScreen()
  deliver.mockReset()
})
afterEach(cleanup)

describe('the card of a stop', () => {
  it('delivers everything with one press', async () => {
    await show(stop)
    fireEvent.click(screen.getByRole('button', { name: 'Delivered, cash taken' }))
    expect(deliver.mock.calls).toEqual([[stop, inCash(9.028), undefined]])
  })

  it('delivers a part with the cash that is due for it', async () => {
    await show(stop)
    fireEvent.click(screen.getByRole('button', { name: 'More or fewer' }))
    const sheet = within(screen.getByRole('dialog'))
    const water = within(sheet.getByRole('group', { name: 'Quantity of Water 500 ml' }))
    const save = () => sheet.getByRole('button', { name: /^Delivered ·/ })
    expect(save().getAttribute('aria-disabled')).toBe('true')
    for (let times = 0; times < 2; times += 1) fireEvent.click(water.getByRole('button', { name: 'One fewer' }))
    expect(save().textContent).toMatch(/5\.717/)
    fireEvent.click(save())
    expect(deliver.mock.calls).toEqual([
      [stop, inCash(5.717), { delivered: [{ itemId: 11, quantity: 3 }], version: 3 }],
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('offers no choice where drivers take only cash, and names what is owed back', async () => {
    await show({ ...stop, paymentStatus: 'paid', cashToCollect: 0, due: -0.5 })
    expect(screen.queryAllByRole('radio')).toEqual([])
    expect(screen.getByText('BHD 0.500 too much was paid. The office pays it back.')).toBeTruthy()
  })

  it('takes the whole amount by the chosen means, with a reference that the server accepts', async () => {
    await show(stop, ['cash', 'benefitpay', 'card'])
    expect(screen.getByRole('radio', { name: 'Cash' })).toHaveProperty('checked', true)
    expect(screen.queryByLabelText('Transaction number (optional)')).toBeNull()
    choose('BenefitPay')
    type('Transaction number (optional)', ' ٧٧‏1-AB ')
    press(/^Delivered, BHD.9\.028 taken$/)
    choose('Card')
    press(/^Delivered, BHD.9\.028 taken$/)
    expect(deliver.mock.calls.map(([, taken]) => taken)).toEqual([
      [{ means: 'benefitpay', amount: 9.028, reference: '771-AB' }],
      [{ means: 'card', amount: 9.028 }],
    ])
  })

  it('takes another amount, and that of a part, by the chosen means', async () => {
    await show(stop, ['benefitpay', 'cheque'])
    press('More or fewer')
    expect(within(screen.getByRole('dialog')).getByText('Due now')).toBeTruthy()
    press('Close')
    press('Another amount')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('radio', { name: 'Cheque' }))
    type('Amount taken', '٤')
    expect(screen.getByText('BHD 5.028 short: the order stays unpaid.')).toBeTruthy()
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delivered' }))
    await vi.waitFor(() => expect(deliver.mock.calls).toEqual([[stop, [{ means: 'cheque', amount: 4 }], undefined]]))
  })

  it('splits the amount between two means that add up to it', async () => {
    await show(stop, ['cash', 'benefitpay', 'card'])
    press('Split between two means')
    const sheet = within(screen.getByRole('dialog'))
    const save = () => fireEvent.click(sheet.getByRole('button', { name: 'Delivered' }))
    type('Cash: how much?', '9.028')
    save()
    await sheet.findByText('Enter an amount below BHD 9.028, such as 1.500')
    expect(deliver).not.toHaveBeenCalled()
    type('Cash: how much?', '5.1')
    fireEvent.click(sheet.getAllByRole('radio', { name: 'Card' })[1] ?? document.body)
    expect(sheet.getByRole('status').textContent).toMatch(/^Card: the restBHD.3\.928$/)
    save()
    const taken = [...inCash(5.1), { means: 'card', amount: 3.928 }]
    await vi.waitFor(() => expect(deliver.mock.calls).toEqual([[stop, taken, undefined]]))
  })

  it('delivers more, also of a product of the van, with the cash that is due for it', async () => {
    await show(stop)
    fireEvent.click(screen.getByRole('button', { name: 'More or fewer' }))
    const sheet = within(screen.getByRole('dialog'))
    fireEvent.click(sheet.getByRole('button', { name: 'One more' }))
    fireEvent.click(sheet.getByRole('button', { name: /^Add Juice/ }))
    fireEvent.click(sheet.getByRole('button', { name: /^Delivered ·/ }))
    // 6 × 1.505 with VAT 0.903, 0.900 with 0.090, fee 0.750.
    const counted = { delivered: [{ itemId: 11, quantity: 6 }], added: [{ productId: 2, quantity: 1 }], version: 3 }
    expect(deliver.mock.calls).toEqual([[stop, inCash(11.673), counted]])
  })

  it('of an approximate pin says so and offers the written address before the pin', async () => {
    await show(stop)
    expect(screen.queryByText(/^Approximate place/)).toBeNull()
    cleanup()
    await show({ ...stop, pinSource: 'area' })
    expect(screen.getByText('Approximate place: block and road first')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Navigate' }))
    const links = within(screen.getByRole('dialog')).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)[0]).toBe('Search for the written address')
    expect(links[0]?.getAttribute('href')).toContain(encodeURIComponent('Block 428, road 2831'))
  })

  it('of a paid order asks for the cash of what is more, and for none otherwise', async () => {
    await show({ ...stop, paymentStatus: 'paid', amountPaid: 9.028, cashToCollect: 0 })
    fireEvent.click(screen.getByRole('button', { name: 'More or fewer' }))
    const sheet = within(screen.getByRole('dialog'))
    fireEvent.click(sheet.getByRole('button', { name: 'One more' }))
    fireEvent.click(sheet.getByRole('button', { name: /^Delivered ·/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Delivered' }))
    expect(deliver.mock.calls.map(([, taken]) => taken)).toEqual([inCash(1.655), null])
  })
})

describe('the empties of a stop', () => {
  /** Four gallons of 0.800 with a deposit of 2.000, for which four empties are expected; fee 0.750. */
  const gallons: RunStop = {
    ...stop,
    items: stop.items.map((item) => ({
      ...item,
      price: 0.8,
      vatPercentage: 0,
      quantity: 4,
      bottleTypeId: 7,
      bottleTerms: 'exchange',
      bottleDeposit: 2,
      empties: 4,
    })),
    bottles: [{ typeId: 7, name: 'Gallon', nameAr: 'غالون', deposit: 2, held: 4, depositHeld: 0 }],
    total: 3.95,
    cashToCollect: 3.95,
    due: 3.95,
  }
  const empties = () => within(screen.getByRole('group', { name: 'Quantity of Empties taken back' }))
  const count = (name: 'One fewer' | 'One more', times = 1) => {
    for (let n = 0; n < times; n += 1) fireEvent.click(empties().getByRole('button', { name }))
  }
  const deliverNow = () => press('Delivered, cash taken')
  const reported = () => deliver.mock.calls.map(([, taken, counted]) => [taken[0].amount, counted])

  it('as expected take no press more', async () => {
    await show(gallons)
    expect(screen.getByText('Expected 4 · customer has 4')).toBeTruthy()
    expect(screen.getByText('The customer has 4 bottles after this stop.')).toBeTruthy()
    deliverNow()
    expect(reported()).toEqual([[3.95, { bottles: [{ typeId: 7, returned: 4 }], due: 3.95 }]])
  })

  it('counted otherwise change the amount at once, with what it was', async () => {
    await show(gallons)
    count('One fewer')
    expect(screen.getByText('The customer has 5 bottles after this stop.')).toBeTruthy()
    expect(screen.getByText(/^4 handed over, 3 taken back/)).toBeTruthy()
    expect(screen.getByText('was BHD 3.950')).toBeTruthy()
    press('A broken bottle, or one of another company')
    fireEvent.click(
      within(screen.getByRole('group', { name: 'Quantity of Broken' })).getByRole('button', { name: /^Add/ }),
    )
    deliverNow()
    expect(reported()).toEqual([[5.95, { bottles: [{ typeId: 7, returned: 3, broken: 1 }], due: 5.95 }]])
  })

  it('are owed by the customer where the vendor says so, and a credit beyond what was handed over', async () => {
    await show(gallons, ['cash'], { bottleDifference: 'owed' })
    count('One fewer')
    expect(
      screen.getByText('BHD 2.000 of deposit is noted as owed by the customer. Do not collect it now.'),
    ).toBeTruthy()
    deliverNow()
    cleanup()
    await show(gallons)
    count('One more', 2)
    expect(screen.getByText('BHD 4.000 of deposit is noted as the customer’s credit.')).toBeTruthy()
    deliverNow()
    expect(reported().map(([amount]) => amount)).toEqual([3.95, 3.95])
  })

  it('follow the bottles that are handed over until somebody counts', async () => {
    await show(gallons)
    press('More or fewer')
    const sheet = within(screen.getByRole('dialog'))
    const water = within(sheet.getByRole('group', { name: 'Quantity of Water 500 ml' }))
    fireEvent.click(water.getByRole('button', { name: 'One fewer' }))
    expect(sheet.getByText('Expected 3 · customer has 4')).toBeTruthy()
    fireEvent.click(sheet.getByRole('button', { name: /^Delivered ·/ }))
    const counted = {
      delivered: [{ itemId: 11, quantity: 3 }],
      bottles: [{ typeId: 7, returned: 3 }],
      version: 3,
      due: 3.15,
    }
    expect(reported()).toEqual([[3.15, counted]])
  })

  it('are more than the van has left neither by a step nor when it is saved', async () => {
    const line = {
      loaded: 10,
      unloaded: 0,
      delivered: 4,
      returned: 3,
      empties: 3,
      counted: null,
      difference: null,
      keys: [],
    }
    const van = [
      { ...line, typeId: 7, productId: null, left: 6 },
      { ...line, typeId: null, productId: 2, left: 0 },
    ]
    await show(gallons, ['cash'], { van })
    expect(screen.getByText('6 left')).toBeTruthy()
    press('More or fewer')
    const sheet = within(screen.getByRole('dialog'))
    const stepper = (name: string) => within(sheet.getByRole('group', { name: `Quantity of ${name}` }))
    const more = stepper('Water 500 ml').getByRole('button', { name: 'One more' })
    for (let n = 0; n < 4; n += 1) fireEvent.click(more)
    expect(more.getAttribute('aria-disabled')).toBe('true')
    expect(document.getElementById(more.getAttribute('aria-describedby') ?? '')?.textContent).toBe('The van has only 6')
    expect(stepper('Water 500 ml').getByRole('status').textContent).toBe('6')
    const gone = stepper('Juice 500 ml').getByRole('button', { name: /^Add/ })
    fireEvent.click(gone)
    expect(stepper('Juice 500 ml').getByRole('status').textContent).toBe('0')
    expect(sheet.getAllByText('None left in the van')).toHaveLength(2)
    fireEvent.click(sheet.getByRole('button', { name: /^Delivered ·/ }))
    expect(deliver.mock.calls[0]?.[2].delivered).toEqual([{ itemId: 11, quantity: 6 }])
  })

  it('are on the paper of the run', async () => {
    await renderInAdmin(() => <RunSheet run={testRun([gallons])} />)
    expect(screen.getByRole('row', { name: /Maryam/ }).textContent).toMatch(/gives back 4 bottles/)
    expect(screen.getByText('Empties expected').parentElement?.textContent).toBe('Empties expected4')
  })
})

it('the paper of the next day names the day on which a stop was tried', async () => {
  const attempts = [{ at: '2026-11-21T06:15:00.000Z', reason: 'absent', notes: null }] as const
  await renderInAdmin(() => <RunSheet run={testRun([{ ...stop, attempts: [...attempts] }])} />)
  const row = screen.getByRole('row', { name: /Maryam/ })
  expect(row.textContent).toMatch(/attempt 2 Tried Sat.* 21 Nov.*: Nobody at home/i)
})
