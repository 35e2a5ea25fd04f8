import {
  type Conversation,
  type ConversationDetail,
  getConversation,
  listConversations,
  listMessages,
} from '@qatra/contract/whatsapp/inbox/inbox'
import {
  assignConversation,
  changeDuty,
  getDuty,
  listLabels,
  PRESENCE_SECONDS,
  reportPresence,
  resolveConversation,
} from '@qatra/contract/whatsapp/inbox/work'
import { useQueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { fetchKey } from '../../../lib/api-client.ts'
import { noteServerTime } from '../../../lib/server-clock.ts'
import { renderInAdmin, sara, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../../ui/Toast.tsx'
import { presenceReported } from '../chat/presence-events.ts'
import { page } from './InboxPage.tsx'

const agent = { ...sara, role: 'vendor_staff' as const, permissions: ['whatsapp.read', 'whatsapp.reply'] }
const NOW = '2026-11-23T12:00:00.000Z'

const conversation = (contactId: number, more: Partial<Conversation> = {}): Conversation => ({
  contactId,
  phone: null,
  businessScopedId: `b${contactId}`,
  name: `Customer ${contactId}`,
  language: 'en',
  last: null,
  lastActivity: NOW,
  unreadCount: 1,
  assignedTo: null,
  pausedUntil: null,
  pausedBy: null,
  waitingSince: '2026-11-23T11:38:00.000Z',
  waitingReason: 'asked',
  waitingOrderId: null,
  orderId: null,
  windowEndsAt: '2026-11-24T11:00:00.000Z',
  isWindowOpen: true,
  optedOutAt: null,
  snoozedUntil: null,
  doneAt: null,
  labels: [],
  isMuted: false,
  blocked: null,
  ...more,
})
const detailOf = (one: Conversation): ConversationDetail => ({
  ...one,
  account: null,
  referral: null,
  optOutSource: null,
  orders: [],
  bottles: [],
  notes: [],
  acts: [],
})

let shop: FakeShop
let waiting: Conversation[]
let serverTime: string
beforeEach(() => {
  setUpScreen()
  Element.prototype.scrollIntoView = () => {}
  waiting = [1, 2, 3].map((id) => conversation(id))
  shop = fakeShop()
  shop.on(listConversations, () => ({
    items: waiting,
    page: 1,
    limit: 30,
    total: waiting.length,
    counts: { unread: waiting.length, waiting: waiting.length, mine: 0, late: 2 },
    waitMinutes: 20,
  }))
  shop.on(getConversation, ({ path }) => {
    const id = Number(path.split('/').at(-1))
    return detailOf(waiting.find(({ contactId }) => contactId === id) ?? conversation(id))
  })
  shop.on(listMessages, () => ({ items: [], page: 1, limit: 40, total: 0 }))
  shop.on(listLabels, () => [])
  shop.on(getDuty, () => ({ isAway: false }))
  shop.on(reportPresence, () => ({ success: true as const }))
  serverTime = NOW
  const answer = fetch
  // Counts the calls and dates the answers.
  vi.stubGlobal(
    'fetch',
    vi.fn(async (...request: Parameters<typeof fetch>) => {
      const response = await answer(...request)
      response.headers.set('date', new Date(serverTime).toUTCString())
      return response
    }),
  )
})
afterEach(() => {
  cleanup()
  dismissToast()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  noteServerTime(new Date().toUTCString())
})

const { Component } = page
function Inbox() {
  const queries = useQueryClient()
  useState(() => queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, queryFn: fetchKey } }))
  return (
    <>
      <Component />
      <Toasts />
    </>
  )
}
const show = (search = '', user: typeof sara = agent) =>
  renderInAdmin(Inbox, { path: '/admin/whatsapp', at: `/admin/whatsapp${search}`, user })
const key = (code: string, more: object = {}) => fireEvent.keyDown(document.body, { code, key: code, ...more })
const chat = () => screen.findByRole('region', { name: 'Conversation' })
const pathsTo = (end: string) =>
  vi
    .mocked(fetch)
    .mock.calls.map(([address]) => String(address))
    .filter((address) => address.endsWith(end))

describe('the waiting list', () => {
  it('is shown first, with the time waited and others’ conversations below', async () => {
    waiting = [conversation(1), conversation(2, { assignedTo: { id: 99, name: 'Khalid' } })]
    await show()
    const others = await screen.findByRole('list', { name: 'Waiting, and somebody has it' })
    expect(within(others).getByText('Customer 2')).toBeTruthy()
    expect(within(others).getByText('Khalid has it')).toBeTruthy()
    expect(screen.getAllByText('22 min').length).toBe(2)
    expect(screen.getByRole('button', { name: /^Waiting/ }).getAttribute('aria-pressed')).toBe('true')
  })

  it('marks those who wait longer than the office allows, and counts them', async () => {
    waiting = [conversation(1), conversation(2, { waitingSince: '2026-11-23T11:41:00.000Z' })]
    await show()
    expect(await screen.findByText('Waiting for 22 min, longer than allowed')).toBeTruthy()
    expect(screen.getByText('Waiting for 19 min')).toBeTruthy()
    expect(screen.getByText('2 past 20 min')).toBeTruthy()
  })

  it('is left off duty by one button, which says so', async () => {
    shop.on(changeDuty, ({ body }) => ({ isAway: (body as { isAway: boolean }).isAway }))
    await show()
    const duty = await screen.findByRole('switch', { name: 'On duty' })
    fireEvent.click(duty)
    await waitFor(() => expect(duty.getAttribute('aria-checked')).toBe('false'))
  })

  it('is walked, assigned and resolved by keyboard, and goes on to the next conversation', async () => {
    shop.on(assignConversation, () => ({ ...conversation(1), assignedTo: { id: agent.id, name: agent.name } }))
    shop.on(resolveConversation, () => {
      const [done] = waiting
      waiting = waiting.slice(1)
      return { ...(done ?? conversation(1)), doneAt: NOW, waitingSince: null }
    })
    const { search } = await show()
    await screen.findByText('Customer 1')
    key('KeyJ')
    await waitFor(() => expect(search()).toContain('open=1'))
    await within(await chat()).findByText('Customer 1')
    key('KeyA')
    await waitFor(() => expect(pathsTo('/1/assignment')).toHaveLength(1))
    key('KeyE')
    await waitFor(() => expect(search()).toContain('open=2'))
    expect(pathsTo('/1/resolve')).toHaveLength(1)
    await screen.findByText('The next message of the customer opens it again.')
  })

  it('goes on to the one that followed an answered conversation, and never back to one that is done', async () => {
    const all = waiting
    shop.on(resolveConversation, ({ path }) => {
      const id = Number(path.split('/').at(-2))
      return { ...conversation(id), doneAt: NOW, waitingSince: null }
    })
    const { search } = await show('?open=2')
    await within(await chat()).findByText('Customer 2')
    await screen.findByText('Customer 3')
    // The answer takes it from the list.
    waiting = all.filter(({ contactId }) => contactId !== 2)
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(document.querySelector('[data-contact="2"]')).toBeNull())
    // The list is not read again while the next two are finished.
    shop.on(listConversations, () => new Promise<never>(() => {}))
    key('KeyE')
    await waitFor(() => expect(search()).toContain('open=3'))
    key('KeyE')
    await waitFor(() => expect(search()).toContain('open=1'))
    key('KeyE')
    await waitFor(() => expect(search()).not.toContain('open'))
  })

  it('stays with the conversation that was opened while another is finished', async () => {
    let finish = () => {}
    shop.on(resolveConversation, async () => {
      await new Promise<void>((done) => {
        finish = done
      })
      return { ...conversation(1), doneAt: NOW, waitingSince: null }
    })
    const { search } = await show('?open=1')
    await within(await chat()).findByText('Customer 1')
    await screen.findByText('Customer 3')
    key('KeyE')
    await waitFor(() => expect(pathsTo('/1/resolve')).toHaveLength(1))
    key('KeyJ')
    await waitFor(() => expect(search()).toContain('open=2'))
    key('KeyJ')
    await waitFor(() => expect(search()).toContain('open=3'))
    finish()
    await screen.findByText('The next message of the customer opens it again.')
    expect(search()).toContain('open=3')
  })

  it('leaves a page of the office to `g` and a letter', async () => {
    await show('?open=1')
    await within(await chat()).findByText('Customer 1')
    key('KeyG')
    key('KeyA')
    key('KeyE')
    expect(pathsTo('/1/assignment')).toEqual([])
    expect(pathsTo('/1/resolve')).toEqual([])
  })

  it('lists its keys by `?`', async () => {
    await show()
    await screen.findByText('Customer 1')
    fireEvent.keyDown(document.body, { key: '?', code: 'Slash', shiftKey: true })
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Done, and on to the next')).toBeTruthy()
  })
})

describe('a conversation', () => {
  it('that a colleague has taken meanwhile says who has it', async () => {
    shop.on(assignConversation, () => refusal('CONVERSATION_TAKEN', { name: 'Khalid' }))
    await show('?open=1')
    await within(await chat()).findByText('Customer 1')
    key('KeyA')
    await screen.findByText('Khalid has taken this conversation.')
  })

  it('opens its order by a key that was pressed before the card had loaded', async () => {
    let load = () => {}
    const loaded = new Promise<void>((done) => (load = done))
    shop.on(getConversation, async () => {
      await loaded
      return { ...detailOf(conversation(1)), phone: '+97336000006' }
    })
    const opened = vi.fn((event: MouseEvent) => {
      if ((event.target as Element).closest('[data-new-order]')) event.preventDefault()
    })
    document.addEventListener('click', opened, { capture: true, once: true })
    await show('?open=1', { ...agent, permissions: [...agent.permissions, 'sales.place'] })
    await chat()
    key('KeyP')
    expect(opened).not.toHaveBeenCalled()
    load()
    await waitFor(() => expect(opened).toHaveBeenCalledOnce())
    expect((opened.mock.calls[0]?.[0].target as Element | undefined)?.textContent).toBe('Order for this customer')
  })

  it('stays when Escape closes the menu over it', async () => {
    await show('?open=1')
    const region = await chat()
    fireEvent.click(await within(region).findByRole('button', { name: 'Actions' }))
    await screen.findByRole('menuitem', { name: 'Search this conversation' })
    key('Escape')
    expect(screen.getByRole('region', { name: 'Conversation' })).toBeTruthy()
  })

  it('shows who else looks and types, until nothing is heard any more', async () => {
    await show('?open=1')
    const region = await chat()
    await within(region).findByText('Customer 1')
    const said = (state: 'looking' | 'typing' | 'gone', contactId = 1) =>
      act(() => {
        presenceReported.emit({ contactId, user: { id: 99, name: 'Khalid' }, state, at: NOW })
      })
    said('typing', 2)
    expect(within(region).queryByText(/Khalid/)).toBeNull()
    said('typing')
    await within(region).findByText('Khalid is typing an answer')
    // Who has just come hears of this page at once.
    await waitFor(() => expect(pathsTo('/1/presence').length).toBeGreaterThan(1))
    // The colleague's answer is sent.
    said('looking')
    await within(region).findByText('Khalid is looking at this conversation too')
    said('gone')
    await waitFor(() => expect(within(region).queryByText(/Khalid/)).toBeNull())
    said('looking')
    await within(region).findByText('Khalid is looking at this conversation too')
    const later = performance.now() + PRESENCE_SECONDS * 1_000 + 1
    vi.spyOn(performance, 'now').mockReturnValue(later)
    await waitFor(() => expect(within(region).queryByText(/Khalid/)).toBeNull())
    vi.mocked(performance.now).mockRestore()
  })

  it('keeps text, focus and caret of an answer begun while it loads, also where the clock is wrong', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:00.000Z') })
    let load = () => {}
    let list = () => {}
    const loaded = new Promise<void>((done) => (load = done))
    const listed = new Promise<void>((done) => (list = done))
    shop.on(getConversation, () => loaded.then(() => detailOf(conversation(1))))
    const before = { unread: 1, waiting: 1, mine: 0, late: 0 }
    shop.on(listConversations, () =>
      listed.then(() => ({ items: waiting, page: 1, limit: 30, total: 3, counts: before, waitMinutes: 10 })),
    )
    await show('?open=1')
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Answer' })
    field.focus()
    fireEvent.change(field, { target: { value: 'We are coming' } })
    field.setSelectionRange(3, 3)
    load()
    await within(await chat()).findByText('Customer 1')
    list()
    await screen.findByText('Customer 3')
    expect(document.activeElement).toBe(field)
    expect([field.value, field.selectionStart]).toEqual(['We are coming', 3])
  })

  it('that is cached has a closed window once the customer’s 24 hours are over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) })
    const { search } = await show('?open=1')
    await within(await chat()).findByText('Customer 1')
    await screen.findByText('Customer 2')
    key('KeyJ')
    await waitFor(() => expect(search()).toContain('open=2'))
    await within(await chat()).findByText('Customer 2')
    expect(screen.queryByText('The 24 hours have passed.')).toBeNull()
    serverTime = '2026-11-24T11:00:30.000Z'
    vi.setSystemTime(serverTime)
    shop.on(getConversation, () => new Promise<never>(() => {}))
    key('KeyK')
    await waitFor(() => expect(search()).toContain('open=1'))
    await screen.findByText('The 24 hours have passed.')
  })

  it('is not answered with a shortcut that was not chosen', async () => {
    await show('?open=1')
    const field = await screen.findByRole('textbox', { name: 'Answer' })
    for (const text of ['/', '/tomorow']) {
      fireEvent.change(field, { target: { value: text } })
      fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })
      await screen.findByText(`No canned reply is called ${text}, so nothing was sent.`)
    }
    expect(pathsTo('/1/messages')).toEqual([])
  })

  it('cannot be answered by who may only read it', async () => {
    await show('?open=1', { ...agent, permissions: ['whatsapp.read'] })
    await screen.findByText('You may read this conversation, not answer it.')
    expect(screen.queryByRole('textbox', { name: 'Answer' })).toBeNull()
    key('KeyE')
    expect(pathsTo('/1/resolve')).toEqual([])
  })
})
