import { addBottleEntry, listBottleEntries, listBottles } from '@qatra/contract/bottles-admin'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { BottlesPanel } from './BottlesPanel.tsx'

const balance = { count: 12, depositHeld: 20, credit: -4 }
const movement = {
  id: 1,
  kind: 'returned' as const,
  count: -3,
  deposit: 0,
  vat: 0,
  after: 12,
  day: '2026-09-17',
  orderId: null,
  reason: 'broken=1 foreign=0',
  by: 'Rashid',
}
const row = {
  id: 5,
  vendorId: 1,
  customerId: 6,
  name: 'Sheikha',
  phone: '+97336110204',
  typeId: 2,
  addressId: 9,
  address: 'Hidd',
  areaName: null,
  areaNameAr: null,
  count: 12,
  depositHeld: 20,
  credit: -4,
  lastOrderAt: null,
  lastDeliveryAt: null,
  lastContact: null,
}
const of = { customerId: 6, typeId: 2 }
const list = {
  items: [row],
  page: 1,
  limit: 10,
  total: 1,
  sums: { bottles: 12, deposits: 20 },
  figures: null,
}
const gallon = {
  id: 2,
  vendorId: 1,
  name: 'Gallon',
  nameAr: null,
  deposit: 2,
  isActive: true,
  isOffered: true,
  productCount: 1,
  version: 1,
}

function Panel() {
  const queries = useQueryClient()
  useState(() => {
    queries.setQueryData(read(listBottles, { query: of }).queryKey, list)
    queries.setQueryData(read(listBottleEntries, { query: of }).queryKey, { balance, items: [movement] })
    queries.setQueryData(read(listBottleTypes).queryKey, [gallon])
  })
  return <BottlesPanel {...of} onClose={() => undefined} />
}

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('bottles of a customer show movements with broken ones, and a loss says what is left and forfeited', async () => {
  const sent: unknown[] = []
  shop.on(addBottleEntry, ({ body }) => {
    sent.push(body)
    if (sent.length === 1) return refusal('UNAVAILABLE')
    return { entry: movement, balance: { count: 10, depositHeld: 16, credit: -4 } }
  })
  await renderInAdmin(Panel, {
    lang: 'en',
    user: { ...sara, permissions: ['customers.read', 'orders.status', 'bottles.write-off'] },
  })
  expect((await screen.findByText(/Returned 3/)).textContent).toContain('1 broken')
  fireEvent.click(screen.getByLabelText('Lost'))
  fireEvent.change(screen.getByLabelText('How many bottles? Negative if found again'), { target: { value: '2' } })
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Broken at home' } })
  expect(screen.getByText(/10 remain/).textContent).toContain('4.000')
  const save = screen.getByRole('button', { name: 'Enter as lost' })
  fireEvent.click(save)
  await waitFor(() => expect(sent).toHaveLength(1))
  await waitFor(() => expect(save.getAttribute('aria-disabled')).not.toBe('true'))
  fireEvent.click(save)
  await waitFor(() => expect(sent).toHaveLength(2))
  const [first, second] = sent
  expect(second).toEqual(first)
  expect(first).toMatchObject({ customerId: 6, typeId: 2, addressId: 9, kind: 'lost', count: 2 })
})

it('bottles are not written off without the permission', async () => {
  await renderInAdmin(Panel, {
    lang: 'en',
    user: { ...sara, role: 'vendor_staff', permissions: ['customers.read', 'orders.status'] },
  })
  expect(await screen.findByLabelText('Returned')).toBeTruthy()
  expect(screen.queryByLabelText('Lost')).toBeNull()
})
