import { kindsFor } from '@qatra/contract/notifications/kinds'
import type { Notification } from '@qatra/contract/notifications/notifications'
import { getMe } from '@qatra/contract/users/auth'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { Bell } from './Bell.tsx'
import { countInTitle } from './Notifications.tsx'
import { setConnection, setSound, setUnread } from './notification-store.ts'
import { recentNotifications } from './recent.ts'

const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const order = {
  customerName: 'Noura',
  areaName: 'Seef',
  areaNameAr: 'السيف',
  total: 5.65,
  vendorName: 'Hayrat',
  vendorNameAr: 'هيرات',
}
const item = (more: Partial<Notification>): Notification => ({
  id: 1,
  kind: 'order-placed',
  at: at(0),
  isRead: false,
  orderId: 'K7QM2222AAAA3333',
  status: 'new',
  campaign: null,
  visit: null,
  byName: null,
  order,
  contact: null,
  ...more,
})
const page = (items: Notification[]) => ({ items, page: 1, limit: 40, total: items.length, unread: items.length })

async function open(items: Notification[] | null, user = { ...sara, permissions: ['events.read'] }) {
  let queries: QueryClient | undefined
  function Piece() {
    queries = useQueryClient()
    return (
      <>
        <p>Here</p>
        <Bell />
      </>
    )
  }
  const view = await renderInAdmin(() => <Piece />)
  await screen.findByText('Here')
  await act(async () => {
    queries?.setQueryData(read(getMe).queryKey, user)
    if (items) queries?.setQueryData(recentNotifications().queryKey, page(items))
  })
  if (!user.permissions.includes('events.read')) return view
  const bell = await screen.findByRole('button', { name: /notification/i })
  await act(async () => bell.click())
  return view
}

beforeEach(() => setUpScreen())
afterEach(() => {
  cleanup()
  setUnread(0)
  setSound(true)
})

describe('the bell', () => {
  it('is not rendered without the permission to read events', async () => {
    await open([], { ...sara, permissions: [] })
    expect(screen.queryByRole('button', { name: /notification/i })).toBeNull()
  })

  it('lists notifications by day, each linked to its order', async () => {
    await open([
      item({}),
      item({ id: 2, kind: 'order-cancelled', at: at(24), isRead: true }),
      item({ id: 3, at: at(90) }),
    ])
    const panel = screen.getByRole('dialog', { name: 'Notifications' })
    expect(
      within(panel)
        .getAllByRole('heading', { level: 3 })
        .map((one) => one.textContent)
        .slice(0, 2),
    ).toEqual(['Today', 'Yesterday'])
    const links = within(panel).getAllByRole('link')
    expect(links[0]?.textContent).toMatch(/New orderK7QM.*Noura · Seef.*5\.650.*Unread/)
    expect(links[1]?.textContent).toMatch(/^Order cancelled/)
    expect(links[1]?.textContent).not.toMatch(/Unread/)
    // The link to the Telegram settings.
    expect(links.at(-1)?.getAttribute('href')).toBe('/admin/telegram')
    expect(links.slice(0, -1).every((link) => link.getAttribute('href')?.includes('K7QM2222AAAA3333'))).toBe(true)
  })

  it('has no link if the order now belongs to another vendor', async () => {
    await open([item({ kind: 'order-unassigned', order: null, byName: 'Sara' })])
    const panel = screen.getByRole('dialog', { name: 'Notifications' })
    expect(within(panel).getAllByRole('link')).toHaveLength(1)
    expect(panel.textContent).toMatch(/No longer on your run.*By Sara/)
  })

  it('of a stopped campaign says the reason and leads to the campaign', async () => {
    const campaign = { id: '7d0d8d4e-0000-4000-8000-000000000001', name: 'Eid', reason: '131048: Spam rate limit hit' }
    await open([item({ kind: 'campaign-stopped', order: null, orderId: null, status: null, campaign })])
    const [link] = within(screen.getByRole('dialog', { name: 'Notifications' })).getAllByRole('link')
    expect(link?.textContent).toMatch(/A campaign stopped and needs attention.*Eid · 131048: Spam rate limit hit/)
    expect(link?.getAttribute('href')).toBe(`/admin/whatsapp/campaigns/${campaign.id}`)
  })

  it('has an empty state, with a hint if all kinds are switched off', async () => {
    await open([], { ...sara, permissions: ['events.read'], notificationTypes: ['new_orders'] })
    expect(screen.getByText('No notifications yet')).toBeTruthy()
    cleanup()
    await open([], { ...sara, permissions: ['events.read'], notificationEnabled: false })
    expect(screen.getByText('Notifications are off for your account')).toBeTruthy()
  })

  it('shows the unread count and the connection state', async () => {
    await open([item({})])
    expect(screen.getByRole('button', { name: 'Notifications: one unread' }).textContent).toMatch(/^1N/)
    act(() => setUnread(137))
    expect(screen.getByRole('button', { name: 'Notifications: 137 unread' }).textContent).toMatch(/^137N/)
    act(() => setUnread(5_000))
    expect(screen.getByRole('button', { name: /^Notifications: 1,?000 unread/ }).textContent).toMatch(/^999\+N/)
    act(() => setConnection('offline'))
    expect(screen.getByText('Offline')).toBeTruthy()
    act(() => setConnection('connected'))
    expect(screen.getByText('Live')).toBeTruthy()
  })

  it('stores the sound setting', async () => {
    await open([])
    await act(async () => screen.getByRole('button', { name: 'Mute sound' }).click())
    expect(localStorage.getItem('admin.sound')).toBe('off')
    expect(screen.getByRole('button', { name: 'Sound on' })).toBeTruthy()
  })
})

describe('the document title', () => {
  it('keeps the count when the page title changes', async () => {
    document.title = 'Orders'
    const stop = countInTitle(3, 100)
    expect(document.title).toBe('(3) Orders')
    document.title = 'Products'
    await vi.waitFor(() => expect(document.title).toBe('(3) Products'))
    stop()
    countInTitle(100, 100)()
    expect(document.title).toBe('(99+) Products')
    countInTitle(0, 100)
    expect(document.title).toBe('Products')
  })
})

describe('notification kinds of a user', () => {
  it("depend on the role and the user's preferences", () => {
    const all = {
      permissions: [],
      notificationEnabled: true,
      notificationTypes: ['new_orders', 'order_updates', 'whatsapp_incoming'],
    }
    expect(kindsFor({ role: 'vendor_staff', ...all })).toEqual([
      'order-placed',
      'order-cancelled',
      'order-attempted',
      'order-driver-left',
      'order-rescheduled',
      'order-needs-call',
      'order-rated-bad',
      'order-edited',
      'visit-requested',
      'visit-cancelled',
    ])
    const agent = { role: 'vendor_staff', ...all, permissions: ['whatsapp.read'] } as const
    expect(kindsFor(agent).filter((kind) => !kind.startsWith('order-') && !kind.startsWith('visit-'))).toEqual([
      'message-received',
      'conversation-waiting',
      'conversation-late',
    ])
    expect(kindsFor({ role: 'driver', ...all })).toEqual([
      'order-cancelled',
      'order-unassigned',
      'order-assigned',
      'order-rescheduled',
      'order-day-changed',
      'order-edited',
      'order-items-changed',
      'order-address-changed',
      'visit-cancelled',
    ])
    expect(kindsFor({ role: 'vendor_staff', ...all, notificationTypes: ['new_orders'] })).toEqual([
      'order-placed',
      'visit-requested',
    ])
    expect(kindsFor({ role: 'super_admin', ...all, notificationEnabled: false })).toEqual([])
    expect(kindsFor({ role: 'customer', ...all })).toEqual([])
  })
})
