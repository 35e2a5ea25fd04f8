import { type ApiKey, createKey, listKeys, revokeKey } from '@qatra/contract/api-keys'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { readSearch } from '../../lib/search-state.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { keysQuery, keysShape, page } from './KeysPage.tsx'

const live: ApiKey = {
  id: 7,
  name: 'Accounting',
  ending: 'k3Qz',
  state: 'live',
  vendorId: 1,
  permissions: ['orders.read', 'sales.place'],
  lost: ['sales.place'],
  createdBy: { id: 2, name: 'Maryam' },
  createdAt: '2026-11-21T07:00:00.000Z',
  expiresAt: '2027-02-19T07:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
}
const key = `qk_${'x'.repeat(43)}`

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Loaded({ items }: { items: ApiKey[] }) {
  const queries = useQueryClient()
  useState(() => {
    const query = keysQuery(readSearch(keysShape, {}))
    queries.setQueryData(read(listVendors).queryKey, [])
    queries.setQueryData(read(listKeys, { query }).queryKey, { items, page: 1, limit: 50, total: items.length })
  })
  return <page.Component />
}
const show = (at = '/here', items = [live]) => renderInAdmin(() => <Loaded items={items} />, { at })

it('a new key is shown once, and removed with its panel', async () => {
  shop.on(createKey, ({ body }) => {
    expect(body).toEqual({ name: 'ERP', vendorId: null, permissions: ['orders.read'], expiresInDays: null })
    return { ...live, lost: [], key }
  })
  await show('/here?new=1')
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'ERP' } })
  fireEvent.change(screen.getByLabelText('Valid for'), { target: { value: '0' } })
  fireEvent.click(screen.getByRole('button', { name: 'Make the key' }))
  expect(await screen.findByText('Choose at least one')).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Read orders'))
  fireEvent.click(screen.getByRole('button', { name: 'Make the key' }))
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Key')).value).toBe(key)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByLabelText('Key')).toBeNull())
})

it('a key says what its maker has lost, and is revoked after a question', async () => {
  const revoked = vi.fn(() => ({ success: true as const }))
  shop.on(revokeKey, revoked)
  await show()
  expect(screen.getByText('Its maker may no longer: Place orders')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /Revoke/ }))
  expect(revoked).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Revoke the key' }))
  await waitFor(() => expect(revoked).toHaveBeenCalledOnce())
})

it('a refused form shows the reason; an empty list offers the first key', async () => {
  shop.on(createKey, () => refusal('KEYS_FULL'))
  await show('/here?new=1', [])
  expect(screen.getByText('No keys yet')).toBeTruthy()
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'ERP' } })
  fireEvent.click(screen.getByLabelText('Read orders'))
  fireEvent.click(screen.getByRole('button', { name: 'Make the key' }))
  expect(await screen.findByText(/50 keys are live/)).toBeTruthy()
})
