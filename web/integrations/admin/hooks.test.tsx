import {
  createHook,
  deleteHook,
  type Hook,
  type HookDelivery,
  listHookDeliveries,
  listHooks,
  pingHook,
  resendHookDelivery,
  switchHook,
} from '@qatra/contract/outgoing-webhooks'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { page } from './HooksPage.tsx'

const live: Hook = {
  id: 7,
  url: 'https://erp.example/qatra',
  vendorId: 1,
  events: ['order.placed', 'order.delivered'],
  state: 'live',
  waiting: 0,
  createdAt: '2026-11-21T07:00:00.000Z',
  failingSince: null,
  lastError: null,
}
const failing: Hook = {
  ...live,
  state: 'failing',
  waiting: 10_000,
  failingSince: '2026-11-29T07:00:00.000Z',
  lastError: 'unanswered',
}
const delivery: HookDelivery = {
  id: 90,
  type: 'order.delivered',
  subject: 'ABCD',
  state: 'delivered',
  attempts: 1,
  lastStatus: 200,
  lastError: null,
  createdAt: '2026-11-30T07:00:00.000Z',
  nextAttemptAt: '2026-11-30T07:00:00.000Z',
  deliveredAt: '2026-11-30T07:00:01.000Z',
}
const done = { success: true as const }
const secret = `whsec_${'x'.repeat(43)}=`

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Loaded({ hooks, messages }: { hooks: Hook[]; messages: HookDelivery[] }) {
  const queries = useQueryClient()
  useState(() => {
    queries.setQueryData(read(listVendors).queryKey, [])
    queries.setQueryData(read(listHooks, { query: {} }).queryKey, hooks)
    const ofOne = read(listHookDeliveries, { params: { id: '7' }, query: { limit: 50 } })
    queries.setQueryData(ofOne.queryKey, { items: messages, page: 1, limit: 50, total: messages.length })
  })
  return <page.Component />
}
function show(at = '/here', hooks = [live], messages: HookDelivery[] = []) {
  shop.on(listHooks, () => hooks)
  shop.on(listHookDeliveries, () => ({ items: messages, page: 1, limit: 50, total: messages.length }))
  return renderInAdmin(() => <Loaded hooks={hooks} messages={messages} />, { at })
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))

describe('a new webhook', () => {
  it('needs an address by https and an event; its secret is shown once, and removed with its panel', async () => {
    const sent = vi.fn(({ body }: { body: unknown }) => {
      expect(body).toEqual({ url: live.url, vendorId: null, events: ['order.delivered'] })
      return { ...live, secret }
    })
    shop.on(createHook, sent)
    await show('/here?new=1', [])
    fireEvent.change(screen.getByLabelText(/^Address/), { target: { value: 'http://erp.example/qatra' } })
    for (const box of within(screen.getByRole('group', { name: 'Events' })).getAllByRole('checkbox'))
      fireEvent.click(box)
    press('Add the webhook')
    expect(await screen.findByText('Choose at least one')).toBeTruthy()
    expect(sent).not.toHaveBeenCalled()
    fireEvent.change(screen.getByLabelText(/^Address/), { target: { value: live.url } })
    fireEvent.click(screen.getByLabelText('Order delivered'))
    press('Add the webhook')
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Secret')).value).toBe(secret)
    press('Close')
    await waitFor(() => expect(screen.queryByLabelText('Secret')).toBeNull())
  })

  it('that is refused says why; an empty list offers the first one', async () => {
    shop.on(createHook, () => refusal('HOOKS_FULL'))
    await show('/here?new=1', [])
    expect(screen.getByText('No webhooks yet')).toBeTruthy()
    fireEvent.change(screen.getByLabelText(/^Address/), { target: { value: live.url } })
    press('Add the webhook')
    expect(await screen.findByText(/10 webhooks already/)).toBeTruthy()
  })
})

describe('a webhook', () => {
  it('that fails says since when, why and how much waits; it is tried and switched off', async () => {
    const [pinged, switched] = [
      vi.fn(() => done),
      vi.fn(({ body }: { body: unknown }) => ({ ...failing, ...(body as object) })),
    ]
    shop.on(pingHook, pinged)
    shop.on(switchHook, switched)
    await show('/here?open=7', [failing])
    expect(screen.getByText(/Nothing has arrived since .*: Did not answer in time/)).toBeTruthy()
    expect(screen.getAllByText('10,000 messages or more wait').length).toBeGreaterThan(0)
    press('Send a test')
    await waitFor(() => expect(pinged).toHaveBeenCalledOnce())
    const off = screen.getByRole<HTMLButtonElement>('button', { name: 'Switch off' })
    await waitFor(() => expect(off.disabled).toBe(false))
    fireEvent.click(off)
    await waitFor(() => expect(switched).toHaveBeenCalledWith(expect.objectContaining({ body: { isEnabled: false } })))
  })

  it('shows its messages; one that arrived or was given up is sent again, one that waits is not', async () => {
    const resent = vi.fn(() => done)
    shop.on(resendHookDelivery, resent)
    await show(
      '/here?open=7',
      [live],
      [
        delivery,
        { ...delivery, id: 91, state: 'failed', attempts: 30, lastStatus: 500, lastError: 'status', deliveredAt: null },
        { ...delivery, id: 92, type: 'ping', state: 'pending', attempts: 0, deliveredAt: null },
      ],
    )
    const list = screen.getByText(/^Given up/).closest('ul')
    const rows = [...(list?.children ?? [])].map((row) => row.textContent ?? '')
    expect(rows[0]).toMatch(/^Order deliveredDelivered /)
    expect(rows[1]).toContain('Given up after 30 attemptsDid not accept it 500')
    expect(rows[2]).toContain('not tried yet')
    const again = screen.getAllByRole('button', { name: 'Send again' })
    expect(again).toHaveLength(2)
    fireEvent.click(again[1] as HTMLElement)
    await waitFor(() => expect(resent).toHaveBeenCalledOnce())
    expect(resent).toHaveBeenCalledWith(expect.objectContaining({ path: '/api/admin/webhook-deliveries/91/resend' }))
  })

  it('is deleted after a question, and not without a yes', async () => {
    const deleted = vi.fn(() => done)
    shop.on(deleteHook, deleted)
    await show('/here?open=7')
    press('Delete')
    expect(screen.getByText('Its messages are deleted too, also those that wait.')).toBeTruthy()
    expect(deleted).not.toHaveBeenCalled()
    press('Delete the webhook')
    await waitFor(() => expect(deleted).toHaveBeenCalledOnce())
    await waitFor(() => expect(screen.queryByText('Newest messages')).toBeNull())
  })
})
