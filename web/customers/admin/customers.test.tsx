import { listBottles } from '@qatra/contract/bottles-admin'
import { addDays } from '@qatra/contract/calendar/calendar'
import {
  addCustomerNote,
  answerDue,
  type CustomerDetail,
  removeCustomerNote,
  tagCustomer,
} from '@qatra/contract/users/customers'
import { createVisit, listVisits } from '@qatra/contract/visits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { fetchKey } from '../../lib/api-client.ts'
import { today } from '../../ui/admin/day-words.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { CustomerPanel } from './CustomerPanel.tsx'
import { customerQuery } from './customer-cache.ts'
import { DuePart } from './Due.tsx'
import { Notes } from './Notes.tsx'
import { Tags } from './Tags.tsx'

const noura: CustomerDetail = {
  id: 6,
  phone: '+97336000006',
  name: 'Noura',
  isVerified: true,
  isActive: true,
  language: 'ar',
  marketingConsent: false,
  consentAt: null,
  consentSource: null,
  consentWords: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  orderCount: 2,
  cancelledCount: 0,
  spend: 4.3,
  lastOrderAt: null,
  tags: ['office'],
  vendorIds: [],
  usualDays: null,
  dueDate: null,
  answer: null,
  address: null,
  areaName: null,
  areaNameAr: null,
  orders: [],
  notes: [],
  can: { write: true },
}
const note = {
  id: 3,
  vendorId: 1,
  body: 'Rings twice',
  by: { id: 2, name: 'Sara' },
  createdAt: '2026-11-01T07:00:00.000Z',
  removedAt: null,
  removedBy: null,
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

function Panel({ first }: { first: CustomerDetail }) {
  const queries = useQueryClient()
  useState(() => queries.setQueryData(customerQuery(first.id).queryKey, first))
  const { data = first } = useQuery(customerQuery(first.id))
  return (
    <>
      <Tags customer={data} />
      <Notes customer={data} showsVendor={false} />
    </>
  )
}
const show = (first = noura) => renderInAdmin(() => <Panel first={first} />)

it('a note is added, and struck out with the name of the person who did it', async () => {
  shop.on(addCustomerNote, ({ body }) => ({ ...noura, notes: [{ ...note, ...(body as { body: string }) }] }))
  shop.on(removeCustomerNote, ({ path }) => {
    expect(path).toBe('/api/admin/customers/6/notes/3')
    return { ...noura, notes: [{ ...note, removedAt: note.createdAt, removedBy: { id: 2, name: 'Sara' } }] }
  })
  await show()
  const field = screen.getByLabelText<HTMLTextAreaElement>('New note')
  fireEvent.change(field, { target: { value: 'Rings twice' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add the note' }))
  expect(await screen.findByText('Rings twice', { selector: 'p' })).toBeTruthy()
  expect(field.value).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'Strike out' }))
  expect(await screen.findByText(/Struck out by Sara/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Strike out' })).toBeNull()
})

it('tags are added and removed one by one, and a rejected one stays in its field', async () => {
  const sent: unknown[] = []
  shop.on(tagCustomer, ({ body }) => {
    const { tags } = body as { tags: string[] }
    sent.push(tags)
    return tags.includes('a,b') ? refusal('INVALID_BODY') : { ...noura, tags }
  })
  await show()
  const field = screen.getByLabelText<HTMLInputElement>('New tag')
  fireEvent.change(field, { target: { value: ' VIP ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the tag office' }))
  await waitFor(() => expect(screen.queryByText('office')).toBeNull())
  fireEvent.change(field, { target: { value: 'a,b' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText(/without commas/)).toBeTruthy()
  expect(field.value).toBe('a,b')
  expect(sent).toEqual([['office', 'VIP'], ['VIP'], ['VIP', 'a,b']])
})

it('a user with read permission only has no input fields', async () => {
  await show({ ...noura, notes: [note], can: { write: false } })
  expect(screen.getByText('Rings twice')).toBeTruthy()
  expect(screen.queryAllByRole('textbox')).toEqual([])
  expect(screen.queryAllByRole('button')).toEqual([])
})

it('what a due customer said is saved with the day from which the customer may be asked again', async () => {
  const due = { ...noura, usualDays: 12, dueDate: addDays(today(), -8) }
  const sent: unknown[] = []
  shop.on(answerDue, ({ body }) => {
    sent.push(body)
    return { ...due, answer: { answer: 'later' as const, until: addDays(today(), 7), by: 'Sara', at: note.createdAt } }
  })
  const { container } = await renderInAdmin(() => <DuePart customer={due} />, { lang: 'en' })
  expect(container.textContent).toContain('Orders every 12 days. Was due on')
  fireEvent.click(screen.getByRole('button', { name: 'In a week' }))
  await waitFor(() => expect(sent).toEqual([{ answer: 'later', until: addDays(today(), 7) }]))
  fireEvent.click(screen.getByRole('button', { name: 'Travelling until…' }))
  fireEvent.change(screen.getByLabelText('Back on'), { target: { value: addDays(today(), 30) } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent[1]).toEqual({ answer: 'travelling', until: addDays(today(), 30) }))
})

it('a collection is planned where the customer has most bottles, and not offered without any', async () => {
  const place = { vendorId: 1, customerId: 6, count: 4, addressId: 9 }
  const sent: unknown[] = []
  shop.on(listBottles, () => ({ items: [place, { ...place, count: 2, addressId: 8 }] }) as never)
  shop.on(listVisits, () => ({ date: '2026-11-20', items: [] }))
  shop.on(createVisit, ({ body }) => {
    sent.push(body)
    return {} as never
  })
  function Whole() {
    const queries = useQueryClient()
    useState(() => {
      queries.setDefaultOptions({ queries: { queryFn: fetchKey, staleTime: Infinity, retry: false } })
      queries.setQueryData(customerQuery(6).queryKey, noura)
    })
    return <CustomerPanel id={6} onClose={() => undefined} />
  }
  const user = { ...sara, permissions: ['customers.read', 'orders.assign', 'orders.status'] as never }
  const { unmount } = await renderInAdmin(Whole, { user })
  expect(await screen.findByText('Holds 6 bottles')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Collect empties' }))
  await waitFor(() => expect(sent).toEqual([{ kind: 'collect-bottles', vendorId: 1, customerId: 6, addressId: 9 }]))
  unmount()
  shop.on(listBottles, () => ({ items: [{ ...place, count: 0 }] }) as never)
  await renderInAdmin(Whole, { user })
  await waitFor(() => expect(shop.to(listBottles)).toHaveLength(2))
  expect(screen.queryByRole('button', { name: 'Collect empties' })).toBeNull()
})
