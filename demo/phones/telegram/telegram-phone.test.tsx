import { getSite } from '@qatra/contract/settings/site'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, openShop, refusal, visit } from '../../../web/checkout/test-shop.tsx'
import {
  changeSimulatedTopic,
  getSimulatedTelegram,
  type SimulatedTelegramChat,
  type SimulatedTelegramMessage,
  writeSimulatedTelegram,
} from '../../contract/telegram.ts'

let shop: FakeShop
let chats: SimulatedTelegramChat[]
let messages: Record<string, SimulatedTelegramMessage[]>
const phone = '+97336000002'
const code = 'a'.repeat(43)
const at = '2026-11-21T08:00:00.000Z'
const message = (id: number, more: Partial<SimulatedTelegramMessage>): SimulatedTelegramMessage => ({
  id,
  author: 'bot',
  name: null,
  text: 'Hello',
  event: null,
  replyToId: null,
  createdAt: at,
  ...more,
})

async function open(address: string, simulator = true) {
  const site = await (await fetch('/api/site')).json()
  shop.on(getSite, () => ({ ...site, simulator }))
  return visit(`/simulator/telegram${address}`)
}
const log = () => within(screen.getByRole('log'))
const sent = () => shop.to(writeSimulatedTelegram).map(({ body }) => body)

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
  chats = [
    { id: 'bot', title: null, isClosed: false, last: null },
    { id: '7', title: 'Maryam · +97333112233', isClosed: false, last: { text: 'When does it come?', createdAt: at } },
  ]
  messages = {
    bot: [],
    '7': [
      message(1, { text: 'When does it come?' }),
      message(2, { author: 'other', name: 'Sara', text: 'Soon' }),
      message(3, { text: 'Not sent: see http://localhost:3000/admin/whatsapp', replyToId: 2 }),
      message(4, { author: 'self', name: 'Me', text: 'Tomorrow' }),
    ],
  }
  shop = openShop()
  shop.on(getSimulatedTelegram, ({ query }) => ({
    botName: 'QatraSimulatorBot',
    chats,
    messages: messages[query.get('chat') ?? 'bot'] ?? [],
  }))
  shop.on(writeSimulatedTelegram, ({ body }) => {
    const { text, threadId } = body as { text: string; threadId?: number }
    const written = message(99, { author: 'self', name: 'Me', text })
    messages[threadId ?? 'bot']?.push(written)
    return written
  })
  shop.on(changeSimulatedTopic, ({ body }) => {
    const { act } = body as { act: string }
    chats = act === 'delete' ? chats.slice(0, 1) : chats.map((chat) => ({ ...chat, isClosed: act === 'close' }))
    return { success: true as const }
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('simulated Telegram', () => {
  it('is not found if the simulator is off', async () => {
    await open('', false)
    expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
  })

  it('asks for a phone, then lists the chats of its account', async () => {
    await open('')
    expect(screen.getByRole('heading', { name: 'Whose phone is it?' })).toBeTruthy()
    fireEvent.click(screen.getByRole('link', { name: /Vendor admin/ }))
    const list = await screen.findByRole('navigation', { name: 'Chats' })
    expect(
      within(list)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^QatraSimulatorBot/),
      expect.stringMatching(/^Maryam · \+97333112233.*When does it come\?$/),
    ])
    expect(screen.queryByRole('link', { name: /Customer/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'WhatsApp and SMS' }).getAttribute('href')).toBe(
      '/simulator?phone=%2B97336000002',
    )
  })

  it('shows the last message in one line without a trailing address, or the last state change', async () => {
    const last = { text: 'Maryam wrote:\nhello\nhttp://localhost:3000/admin/whatsapp?open=7', createdAt: at }
    chats = [
      {
        id: 'bot',
        title: null,
        isClosed: false,
        last,
      },
      {
        id: '7',
        title: 'Closed one',
        isClosed: true,
        last: { text: '', createdAt: at },
      },
      {
        id: '8',
        title: 'Opened one',
        isClosed: false,
        last: { text: '', createdAt: at },
      },
    ]
    await open('?phone=36000002')
    const list = await screen.findByRole('navigation', { name: 'Chats' })
    const lines = within(list)
      .getAllByRole('link')
      .map(({ textContent }) => textContent)
    expect(lines[0]).toMatch(/Maryam wrote: hello$/)
    expect(lines[1]).toMatch(/Closed$/)
    expect(lines[2]).toMatch(/Opened again$/)
  })

  it('starts the bot with the code in the address, and removes the code', async () => {
    const { router } = await open(`?phone=36000002&start=${code}`)
    const start = await screen.findByRole('button', { name: 'Start' })
    expect(document.activeElement).toBe(start)
    fireEvent.click(start)
    await waitFor(() => expect(sent()).toEqual([{ from: phone, text: `/start ${code}` }]))
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('start'))
    expect(await screen.findByLabelText('Write to the bot')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull()
  })

  it('shows the authors and replies of a topic, and sends a message to it', async () => {
    await open('?phone=36000002&chat=7')
    expect(screen.getByRole('heading', { name: 'Maryam · +97333112233' })).toBeTruthy()
    const [, other, third] = log().getAllByRole('article')
    expect(other?.textContent).toMatch(/^SaraSoon/)
    expect(third?.textContent).toMatch(/^SoonNot sent/)
    expect(log().getByRole('link').getAttribute('href')).toBe('http://localhost:3000/admin/whatsapp')
    const write = screen.getByLabelText('Answer the customer')
    fireEvent.submit(write)
    expect(screen.getByText('Write the text of the message first.')).toBeTruthy()
    fireEvent.change(write, { target: { value: 'At four' } })
    fireEvent.submit(write)
    await screen.findByText('At four')
    expect(sent()).toEqual([{ from: phone, text: 'At four', threadId: 7 }])
  })

  it('keeps the text if sending fails', async () => {
    shop.on(writeSimulatedTelegram, () => refusal('UNAVAILABLE'))
    await open('?phone=36000002&chat=7')
    const write = screen.getByLabelText<HTMLInputElement>('Answer the customer')
    fireEvent.change(write, { target: { value: 'At four' } })
    fireEvent.submit(write)
    expect(await screen.findByText('The message was not sent. Please try again.')).toBeTruthy()
    expect(write.value).toBe('At four')
  })

  it('closes, opens and deletes a topic; asks before deleting', async () => {
    const { router } = await open('?phone=36000002&chat=7')
    fireEvent.click(screen.getByRole('button', { name: 'Close topic' }))
    expect(await screen.findByText(/The topic is closed/)).toBeTruthy()
    expect(screen.queryByLabelText('Answer the customer')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Open topic' }))
    expect(await screen.findByLabelText('Answer the customer')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Delete topic' }))
    fireEvent.click(screen.getByRole('button', { name: 'Keep it' }))
    fireEvent.click(screen.getByRole('button', { name: 'Delete topic' }))
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete topic' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ phone }))
    expect(await screen.findByText(/The staff's group has no topics yet/)).toBeTruthy()
  })

  it('shows that the topic in the address was deleted', async () => {
    await open('?phone=36000002&chat=12')
    expect(screen.getByText('This topic was deleted')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: /customer/ })).toBeNull()
  })

  it('shows a notice if a real bot is configured', async () => {
    shop.on(getSimulatedTelegram, () => refusal('NOT_FOUND'))
    await open('?phone=36000002')
    expect(await screen.findByRole('heading', { name: 'The shop has a real bot' })).toBeTruthy()
  })

  it('shows a notice if the server cannot be reached', async () => {
    shop.on(getSimulatedTelegram, () => refusal('UNAVAILABLE'))
    await open('?phone=36000002')
    expect(await screen.findByText(/cannot be reached/)).toBeTruthy()
  })
})
