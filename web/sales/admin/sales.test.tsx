import { listAreas } from '@qatra/contract/places/areas'
import { findSalesCustomer, placeSalesOrder, type SalesCustomer } from '@qatra/contract/sales'
import { getMe } from '@qatra/contract/users/auth'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { areaQuery } from '../../checkout/coverage.ts'
import { type FakeShop, fakeShop, openDays, refusal } from '../../checkout/test-shop.tsx'
import { deliveryDaysQuery } from '../../delivery/days.ts'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { Toasts } from '../../ui/Toast.tsx'
import { priceFloorsQuery, productsQuery } from './api.ts'
import { readDraft } from './draft.ts'
import { page } from './PlaceOrderPage.tsx'
import { gallon, spring, water } from './test-sale.ts'

const centre = { lat: 26.2378, lng: 50.5402 }
const seef = { id: 7, areaId: 'seef', name: 'Seef', nameAr: 'السيف', centre, vendorIds: [1] }
const far = {
  ...seef,
  id: 8,
  areaId: 'far',
  name: 'Hawar',
  nameAr: 'حوار',
  centre: { lat: 25.65, lng: 50.77 },
  vendorIds: [],
}

const lastItem = {
  id: 1,
  productId: 1,
  name: 'Still water',
  nameAr: null,
  size: '500ml',
  imageUrl: null,
  price: 1.4,
  vatPercentage: 10,
  quantity: 4,
  unitsPerInventoryUnit: 1,
}
const noura = {
  id: 6,
  phone: '+97336000006',
  name: 'Noura',
  address: 'Block 428, Road 1, Seef',
  addressParts: null,
  mapCoordinates: centre,
  instructions: null,
  places: [
    {
      address: 'Block 428, Road 1, Seef',
      addressParts: null,
      mapCoordinates: centre,
      instructions: null,
      receiverName: null,
      receiverPhone: null,
    },
  ],
  orderCount: 3,
  lastOrder: {
    id: 'A',
    items: [lastItem, { ...lastItem, id: 2, productId: 99 }],
    total: 8,
    createdAt: '2026-11-16T17:00:00.000Z',
    vendorTint: null,
  },
} as unknown as SalesCustomer // of the last order, what the page shows

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  window.sessionStorage.clear()
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0))
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

let asking: QueryClient | null = null
const remember = (queries: QueryClient) => {
  asking = queries
}
type Floors = { vendorId: number; percent: number }[]

function Sales({ permissions, floors }: { permissions: string[]; floors: Floors }) {
  const queries = useQueryClient()
  useState(() => {
    remember(queries)
    queries.setQueryData(read(getMe).queryKey, { ...sara, permissions })
    queries.setQueryData(read(listVendors).queryKey, [spring])
    queries.setQueryData(productsQuery(1).queryKey, [water, gallon])
    queries.setQueryData(priceFloorsQuery().queryKey, floors)
    queries.setQueryData(deliveryDaysQuery(1).queryKey, openDays)
    queries.setQueryData(read(listAreas).queryKey, [seef, far])
    for (const area of [seef, far]) queries.setQueryData(areaQuery(area.centre).queryKey, area)
    queries.setQueryData(read(findSalesCustomer, { query: { phone: noura.phone } }).queryKey, noura)
  })
  return (
    <>
      <page.Component />
      <Toasts />
    </>
  )
}
const show = ({
  lang = 'en' as 'ar' | 'en',
  permissions = ['sales.custom-price'],
  floors = [] as Floors,
  at = '/here',
} = {}) => renderInAdmin(() => <Sales permissions={permissions} floors={floors} />, { lang, at })

const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string | RegExp, value: string) => fireEvent.change(field(label), { target: { value } })
const enter = (more = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', ...more })
const focused = (label: string | RegExp) => waitFor(() => expect(document.activeElement).toBe(field(label)))
const adder = () => screen.getByRole('combobox', { name: 'Add a product' })

function choose(combobox: HTMLElement, value: string) {
  fireEvent.input(combobox, { target: { value }, inputType: 'insertText' })
  fireEvent.keyDown(combobox, { key: 'Enter' })
}

async function add(name: string, quantity: string) {
  choose(adder(), name)
  await focused(new RegExp(`Quantity of ${name}`))
  fireEvent.change(document.activeElement ?? adder(), { target: { value: quantity } })
  enter()
  await waitFor(() => expect(document.activeElement).toBe(adder()))
}

const answerWith = (sent: { body: unknown; key: string | null }[]) =>
  shop.on(placeSalesOrder, ({ body, headers }) => {
    sent.push({ body, key: headers?.['idempotency-key'] ?? null })
    const placed = {
      id: 'ABCD2345EFGH6789',
      customerName: 'Noura',
      promisedDate: '2026-11-22',
      total: 9.122,
      minimumLeft: 0,
    }
    return placed as never // what the page shows of it
  })

describe('placing an order by keyboard', () => {
  it('for a known customer: number, Enter, same again, Ctrl + Enter', async () => {
    const sent: { body: unknown; key: string | null }[] = []
    answerWith(sent)
    await show()
    await focused('Phone')
    type('Phone', '36000006')
    enter()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Same again'))
    expect(field('Customer’s name').value).toBe('Noura')
    fireEvent.click(document.activeElement ?? document.body)
    await waitFor(() => expect(document.activeElement).toBe(adder()))
    // 4 × 1.505 at today's price, the vendor's fee and 10 % VAT
    expect(screen.getAllByText('BHD 7.622').length).toBeGreaterThan(0)
    enter({ ctrlKey: true })
    await screen.findByText('The order is placed')
    expect(sent).toMatchObject([
      {
        body: {
          phone: '36000006',
          customerName: 'Noura',
          address: 'Block 428, Road 1, Seef',
          mapCoordinates: centre,
          items: [{ productId: 1, quantity: 4 }],
          deliveryFee: 1,
        },
      },
    ])
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Next order'))
    fireEvent.click(document.activeElement ?? document.body)
    await focused('Phone')
    expect(field('Phone').value).toBe('')
    expect(readDraft(sara.id).lines).toEqual([])
  })

  it('for a customer with several addresses: another one replaces place, notes and receiver', async () => {
    const [home] = noura.places
    if (!home) throw new Error('The customer has an address')
    const parents = {
      ...home,
      address: 'Block 214, Road 7, Muharraq',
      instructions: 'Blue gate',
      receiverName: 'Abu Salem',
      receiverPhone: '+97336001234',
    }
    Object.assign(noura, { places: [home, parents] })
    const sent: { body: unknown; key: string | null }[] = []
    answerWith(sent)
    await show()
    await focused('Phone')
    type('Phone', '36000006')
    enter()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Same again'))
    fireEvent.click(document.activeElement ?? document.body)
    await waitFor(() => expect(document.activeElement).toBe(adder()))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: home.address }).checked).toBe(true)
    fireEvent.click(screen.getByRole('radio', { name: parents.address }))
    expect(field('Receiver (optional)').value).toBe('Abu Salem')
    adder().focus()
    enter({ ctrlKey: true })
    await screen.findByText('The order is placed')
    const { address, instructions, receiverName, receiverPhone } = parents
    expect(sent).toMatchObject([{ body: { address, instructions, receiverName, receiverPhone } }])
    Object.assign(noura, { places: [home] })
  })

  it('for the first open day unless another is chosen; a day that has closed is shown with the new ones', async () => {
    const sent: unknown[] = []
    shop.on(placeSalesOrder, ({ body }) => {
      sent.push(body)
      return refusal('DATE_NOT_AVAILABLE', { days: ['2026-11-23', '2026-11-24'] })
    })
    await show()
    await focused('Phone')
    type('Phone', '36000006')
    enter()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Same again'))
    fireEvent.click(document.activeElement ?? document.body)
    fireEvent.click(await screen.findByRole('radio', { name: 'Wednesday 25 November' }))
    enter({ ctrlKey: true })
    await screen.findByText(/^The delivery day has changed/)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Monday 23 November' }).checked).toBe(true)
    enter({ ctrlKey: true })
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent).toMatchObject([{ deliveryDate: '2026-11-25' }, { expectedDate: '2026-11-23' }])
  })

  it('for a new one: name, area, door, products, a price of its own', async () => {
    const sent: { body: unknown; key: string | null }[] = []
    answerWith(sent)
    await show()
    type('Phone', '39000000')
    fireEvent.keyDown(field('Phone'), { key: 'Enter' })
    await focused('Customer’s name')
    type('Customer’s name', 'Maryam')
    enter()
    const area = screen.getByRole('combobox', { name: 'Area' })
    expect(document.activeElement).toBe(area)
    choose(area, 'See')
    await focused('Block')
    expect(screen.getByText('We deliver to Seef')).toBeTruthy()
    for (const [label, value] of [
      ['Block', '428'],
      ['Road', '2831'],
      ['Building', '1172'],
    ] as const) {
      expect(document.activeElement).toBe(field(label))
      type(label, value)
      enter()
    }
    expect(document.activeElement).toBe(adder())
    await add('Still water', '٣')
    await add('Gallon', '2')
    fireEvent.click(screen.getByRole('button', { name: /Change the price of Gallon/ }))
    type(/Agreed price/, '0.7')
    type('Why', 'Regular')
    // 4.515 + 1.400 + 1.000 + 0.452
    expect(screen.getAllByText('BHD 7.367').length).toBeGreaterThan(0)
    fireEvent.keyDown(field('Why'), { key: 'Enter', metaKey: true })
    await screen.findByText('The order is placed')
    expect(sent[0]?.body).toMatchObject({
      address: 'Seef, Block 428, Road 2831, Building 1172',
      addressParts: { block: '428', road: '2831', building: '1172' },
      items: [
        { productId: 1, quantity: 3 },
        { productId: 2, quantity: 2, customPrice: 0.7, reason: 'Regular' },
      ],
    })
  })
})

describe('validation errors', () => {
  it('appear at their fields; the first is focused, and nothing is sent', async () => {
    await show()
    fireEvent.keyDown(field('Phone'), { key: 'Enter', ctrlKey: true })
    await screen.findByText('Check the marked fields.')
    expect(screen.getByText('Phone number must be at least 8 digits')).toBeTruthy()
    expect(screen.getByText('Add at least one product')).toBeTruthy()
    expect(screen.getByText('Choose the area or set the pin')).toBeTruthy()
    await focused('Phone')
    type('Phone', '3600')
    expect(screen.queryByText('Phone number must be at least 8 digits')).toBeNull()
  })

  it('allow delivery outside the areas only with permission and reason', async () => {
    await show()
    const area = screen.getByRole('combobox', { name: 'Area' })
    choose(area, 'Hawar')
    await screen.findByText('We do not deliver to Hawar')
    expect(screen.queryByLabelText('Deliver all the same')).toBeNull()
    cleanup()
    window.sessionStorage.clear()
    await show({ permissions: ['sales.ignore-coverage'] })
    const again = screen.getByRole('combobox', { name: 'Area' })
    choose(again, 'Hawar')
    fireEvent.click(await screen.findByLabelText('Deliver all the same'))
    fireEvent.keyDown(field('Why'), { key: 'Enter', ctrlKey: true })
    expect(await screen.findByText('Write why it is delivered outside the area')).toBeTruthy()
  })

  it('from the server appear at their line, and the draft survives a reload', async () => {
    shop.on(placeSalesOrder, () => refusal('INVALID_BODY', { fields: { 'items.0.quantity': 'Not so many' } }))
    await show()
    type('Phone', '36000006')
    fireEvent.keyDown(field('Phone'), { key: 'Enter' })
    await waitFor(() => expect(field('Customer’s name').value).toBe('Noura'))
    await add('Still water', '5')
    enter({ ctrlKey: true })
    expect(await screen.findByText('Not so many')).toBeTruthy()
    await focused(/Quantity of Still water/)
    cleanup()
    await show()
    expect(field('Customer’s name').value).toBe('Noura')
    expect(field(/Quantity of Still water/).value).toBe('5')
  })
})

describe('a link with a phone number in ?phone=', () => {
  it('opens the form with the number, the name and the address of the customer, and removes ?phone= from the address', async () => {
    const { search } = await show({ at: '/here?phone=%2B97336000006' })
    await waitFor(() => expect(field('Customer’s name').value).toBe('Noura'))
    expect(field('Phone').value).toBe('+97336000006')
    expect(screen.getByText(/Block 428, Road 1, Seef/)).toBeTruthy()
    expect(search()).toBe('')
  })

  it('keeps the unfinished order for the same number, and stores one for another number', async () => {
    await show()
    type('Phone', '36000009')
    await add('Still water', '5')
    cleanup()
    await show({ at: '/here?phone=%2B97336000009' })
    expect(field(/Quantity of Still water/).value).toBe('5')
    cleanup()
    await show({ at: '/here?phone=%2B97336000006' })
    await waitFor(() => expect(field('Phone').value).toBe('+97336000006'))
    expect(screen.queryByLabelText(/Quantity of Still water/)).toBeNull()
    fireEvent.click(await screen.findByRole('button', { name: 'Bring it back' }))
    expect(field('Phone').value).toBe('36000009')
    expect(field(/Quantity of Still water/).value).toBe('5')
  })

  it('is ignored if the value is not a phone number', async () => {
    await show({ at: '/here?phone=abc' })
    expect(field('Phone').value).toBe('')
  })
})

it('an agreed price is offered only with its permission', async () => {
  await show({ permissions: [] })
  await add('Still water', '5')
  expect(screen.queryByRole('button', { name: /Change the price/ })).toBeNull()
})

it('the field of an agreed price shows the minimum, reports a lower price, and refetches the minimum after a refusal', async () => {
  shop.on(placeSalesOrder, () => refusal('PRICE_BELOW_FLOOR', { fields: { 'items.0.customPrice': 'At least that' } }))
  await show({ floors: [{ vendorId: 1, percent: 70 }] })
  type('Phone', '36000006')
  fireEvent.keyDown(field('Phone'), { key: 'Enter' })
  await waitFor(() => expect(field('Customer’s name').value).toBe('Noura'))
  await add('Still water', '5')
  fireEvent.click(screen.getByRole('button', { name: /Change the price of Still water/ }))
  // 70 % of 1.505
  expect(screen.getByText('BHD 1.054 or more')).toBeTruthy()
  const floors = () => asking?.getQueryState(priceFloorsQuery().queryKey)
  expect(floors()?.isInvalidated).toBe(false)
  type(/Agreed price/, '0.7')
  fireEvent.keyDown(field(/Agreed price/), { key: 'Enter', ctrlKey: true })
  expect(await screen.findByText('At least that')).toBeTruthy()
  await focused(/Agreed price/)
  expect(floors()?.isInvalidated).toBe(true)
  cleanup()
  window.sessionStorage.clear()
  await show()
  await add('Still water', '5')
  fireEvent.click(screen.getByRole('button', { name: /Change the price of Still water/ }))
  expect(screen.queryByText(/or more/)).toBeNull()
})
