import type { RunStop } from '@qatra/contract/drivers'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { StopCard } from './StopCard.tsx'
import type { RunState } from './use-run.ts'

const stop: RunStop = {
  id: 'K7QM222222222222',
  number: 1,
  status: 'shipped',
  customerName: 'Maryam',
  phone: '+97336000006',
  receiverName: null,
  receiverPhone: null,
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
      id: 11,
      productId: 1,
      name: 'Water',
      nameAr: null,
      size: '500ml',
      imageUrl: null,
      price: 1.505,
      vatPercentage: 10,
      quantity: 5,
      orderedQuantity: null,
      inventoryUnit: null,
      inventoryUnitAr: null,
      unitsPerInventoryUnit: 1,
    },
  ],
  paymentMethod: 'cash',
  paymentStatus: 'pending',
  deliveryFee: 0.75,
  total: 9.028,
  amountPaid: 0,
  cashToCollect: 9.028,
  due: 9.028,
  cashCollected: null,
  promisedDate: '2026-11-21',
  deliveredAt: null,
  version: 3,
  attempts: [],
  can: { deliver: true, attempt: true },
}
const deliver = vi.fn()
const state = { deliver } as unknown as RunState // the card needs only its commands
const show = (shown: RunStop) => renderInAdmin(() => <StopCard stop={shown} state={state} />)

beforeEach(() => {
  setUpScreen()
  deliver.mockReset()
})
afterEach(cleanup)

describe('the card of a stop', () => {
  it('delivers everything with one press', async () => {
    await show(stop)
    fireEvent.click(screen.getByRole('button', { name: 'Delivered, cash taken' }))
    expect(deliver.mock.calls).toEqual([[stop, 9.028, undefined]])
  })

  it('delivers a part with the cash that is due for it', async () => {
    await show(stop)
    fireEvent.click(screen.getByRole('button', { name: 'Delivered in part' }))
    const sheet = within(screen.getByRole('dialog'))
    const save = () => sheet.getByRole('button', { name: /^Delivered ·/ })
    expect(save().getAttribute('aria-disabled')).toBe('true')
    for (let times = 0; times < 2; times += 1) fireEvent.click(sheet.getByRole('button', { name: 'One fewer' }))
    expect(save().textContent).toMatch(/5\.717/)
    fireEvent.click(save())
    expect(deliver.mock.calls).toEqual([[stop, 5.717, [{ itemId: 11, quantity: 3 }]]])
    expect(screen.queryByRole('dialog')).toBeNull()
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

  it('offers no part of a paid order', async () => {
    await show({ ...stop, paymentStatus: 'paid', cashToCollect: 0 })
    expect(screen.queryByRole('button', { name: 'Delivered in part' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Delivered' }))
    expect(deliver.mock.calls[0]?.[1]).toBeNull()
  })
})
