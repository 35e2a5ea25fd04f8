import { type AdminLink, createLink, listLinks, revokeLink } from '@qatra/contract/links/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { readSearch } from '../../lib/search-state.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { linksQuery, linksShape, page } from './LinksPage.tsx'

const live: AdminLink = {
  id: 7,
  state: 'live',
  phone: '+973 **** 0006',
  customer: { id: 6, name: 'Noura' },
  redirectUrl: '/orders',
  redirectParams: null,
  createdBy: { id: 1, name: 'Khalid' },
  sending: 'delivered',
  createdAt: '2026-11-21T07:00:00.000Z',
  expiresAt: '2026-11-22T07:00:00.000Z',
  usedAt: null,
  revokedAt: null,
  can: { revoke: true },
}
const url = 'http://localhost:3000/magic-login/dGhlIHRva2VuIG9mIHRoaXMgbGluaywgb25jZS4'

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
/** Renders the page with the data of its `load`. */
function Loaded() {
  const queries = useQueryClient()
  useState(() => {
    const query = linksQuery(readSearch(linksShape, {}))
    queries.setQueryData(read(listVendors).queryKey, [])
    queries.setQueryData(read(listLinks, { query }).queryKey, { items: [live], page: 1, limit: 50, total: 1 })
  })
  return <page.Component />
}
const show = (at = '/here') => renderInAdmin(() => <Loaded />, { at })
const typePhone = (phone: string) =>
  fireEvent.change(screen.getByLabelText(/Customer’s phone/), { target: { value: phone } })
const make = () => fireEvent.click(screen.getByRole('button', { name: 'Make the link' }))

it('a new link is shown once to be copied, and removed with its panel', async () => {
  shop.on(createLink, ({ body }) => {
    expect(body).toEqual({ phone: '36000006', redirectUrl: '/orders', expiresInHours: 72, send: true })
    return { url, token: 'x', expiresAt: live.expiresAt }
  })
  await show('/here?new=1')
  typePhone('36000006')
  fireEvent.change(screen.getByLabelText('Where it leads'), { target: { value: '/orders' } })
  fireEvent.change(screen.getByLabelText('Valid for'), { target: { value: '72' } })
  fireEvent.click(screen.getByLabelText('Send it to the customer by WhatsApp'))
  make()
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Link')
  expect(field.value).toBe(url)
  expect(screen.getByRole('img', { name: 'QR code of the link' })).toBeTruthy()
  expect(screen.getByText(/on its way to the customer/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByLabelText('Link')).toBeNull())
})

it('a rejected form shows the reason and keeps the input', async () => {
  shop.on(createLink, () => refusal('STAFF_PHONE'))
  await show('/here?new=1')
  typePhone('36000005')
  make()
  expect(await screen.findByText(/staff number/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/Customer’s phone/).value).toBe('36000005')
  typePhone('123')
  make()
  expect(await screen.findByText('Phone number must be at least 8 digits')).toBeTruthy()
})

it('a link is revoked after one confirmation; a link used meanwhile is reported', async () => {
  shop.on(revokeLink, () => refusal('LINK_CLOSED', { state: 'used' }))
  await show()
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke' }))
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain('Noura')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Revoke the link' }))
  expect(await screen.findByText(/used or has expired/)).toBeTruthy()

  shop.on(revokeLink, ({ path }) => {
    expect(path).toBe('/api/admin/magic-links/7/revoke')
    return { ...live, state: 'revoked' as const, can: { revoke: false } }
  })
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke the link' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
