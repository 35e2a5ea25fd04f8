import { getSite } from '@qatra/contract/settings/site'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, openShop, refusal, visit } from '../../web/checkout/test-shop.tsx'
import { dismissToast } from '../../web/ui/Toast.tsx'
import { listSimulatedMessages, type SimulatedMessage, sendSimulatedMessage } from '../contract/simulator.ts'
import { codeIn, linked } from './message-parts.ts'

let shop: FakeShop
let messages: SimulatedMessage[]
const phone = '+97336000006'
const message = (id: string, more: Partial<SimulatedMessage>): SimulatedMessage => ({
  id,
  to: phone,
  from: 'Qatra',
  direction: 'outgoing',
  channel: 'whatsapp',
  status: 'delivered',
  parts: null,
  body: 'Hello',
  createdAt: '2026-11-21T08:00:00.000Z',
  ...more,
})

async function open(address: string, simulator = true) {
  const site = await (await fetch('/api/site')).json()
  shop.on(getSite, () => ({ ...site, simulator }))
  return visit(address)
}
const bubbles = () => within(screen.getByRole('log')).queryAllByRole('article')

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  messages = [
    message('2', { channel: 'sms', body: '7788 is your Qatra sign-in code\n\n@localhost #7788' }),
    message('1', { body: 'Order http://localhost:3000/orders/ABCD is on its way' }),
  ]
  shop = openShop()
  shop.on(listSimulatedMessages, ({ query }) =>
    messages.filter(({ to }) => !query.get('phone') || to === query.get('phone')),
  )
  shop.on(sendSimulatedMessage, ({ body }) => {
    const { type, body: text = '', lat, lng } = body as { type: string; body?: string; lat?: number; lng?: number }
    const own = message(`own-${messages.length}`, { direction: 'incoming', from: phone, body: text || `${lat},${lng}` })
    messages = [own, ...messages]
    expect(['text', 'button', 'list', 'location']).toContain(type)
    return own
  })
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

describe('simulated phone', () => {
  it('is not found if the simulator is off', async () => {
    await open('/simulator', false)
    expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
  })

  it('shows messages oldest first with their channel, and copies a code on click', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText } }))
    await open('/simulator?phone=36000006')
    expect(bubbles().map(({ textContent }) => textContent?.match(/^(WhatsApp|SMS)/)?.[0])).toEqual(['WhatsApp', 'SMS'])
    fireEvent.click(screen.getByRole('button', { name: 'Copy 7788' }))
    expect(await screen.findByText('Code 7788 copied')).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith('7788')
    expect(screen.getByRole('link', { name: /orders\/ABCD/ }).getAttribute('href')).toMatch(/ABCD$/)
  })

  it('shows a new message within two seconds', async () => {
    await open('/simulator?phone=36000006')
    messages = [message('3', { body: 'Fresh news' }), ...messages]
    await waitFor(() => expect(screen.getByText('Fresh news')).toBeTruthy())
  })

  it('sends text, a button reply and a location', async () => {
    await open('/simulator?phone=36000006')
    const write = screen.getByLabelText('Write to the shop')
    fireEvent.submit(write)
    expect(screen.getByText('Write the text of the message first.')).toBeTruthy()
    fireEvent.change(write, { target: { value: 'Two cartons' } })
    fireEvent.submit(write)
    await screen.findByText('Two cartons')
    fireEvent.click(screen.getByRole('button', { name: 'As a button press' }))
    fireEvent.change(write, { target: { value: 'Yes' } })
    fireEvent.submit(write)
    await screen.findByText('Yes')
    fireEvent.click(screen.getByRole('button', { name: /Manama/ }))
    await screen.findByText('26.2285,50.586')
    expect(shop.to(sendSimulatedMessage).map(({ body }) => body)).toEqual([
      { from: phone, type: 'text', body: 'Two cartons' },
      { from: phone, type: 'button', body: 'Yes' },
      { from: phone, type: 'location', lat: 26.2285, lng: 50.586 },
    ])
  })

  it('shows lists and buttons, and sends the selected option', async () => {
    const rows = [{ id: 'p1', title: 'Falaj 500ml', description: 'BHD 1.500' }]
    messages = [
      message('b', {
        body: 'Sure?\n• Yes',
        parts: { type: 'buttons', text: 'Sure?', buttons: [{ id: 'yes', title: 'Yes' }] },
      }),
      message('l', {
        body: 'Choose',
        parts: { type: 'list', text: 'Choose', button: 'Products', sections: [{ rows }] },
      }),
      message('p', { body: 'Where to?', parts: { type: 'location-request', text: 'Where to?' } }),
    ]
    await open('/simulator?phone=36000006')
    expect(screen.queryByText(/• Yes/)).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Yes' }))
    await waitFor(() => expect(shop.to(sendSimulatedMessage)).toHaveLength(1))
    fireEvent.click(screen.getByRole('button', { name: 'Products' }))
    fireEvent.click(screen.getByRole('button', { name: /Falaj/ }))
    await waitFor(() => expect(shop.to(sendSimulatedMessage)).toHaveLength(2))
    expect(shop.to(sendSimulatedMessage).map(({ body }) => body)).toEqual([
      { from: phone, type: 'button', id: 'yes', body: 'Yes', replyTo: 'b' },
      { from: phone, type: 'list', id: 'p1', body: 'Falaj 500ml', replyTo: 'l' },
    ])
    fireEvent.click(screen.getByRole('button', { name: 'Send my location' }))
    expect(document.activeElement?.textContent).toMatch(/Manama/)
  })

  it('keeps the text of a message that was not sent', async () => {
    shop.on(sendSimulatedMessage, () => refusal('UNAVAILABLE'))
    await open('/simulator?phone=36000006')
    const write = screen.getByLabelText<HTMLInputElement>('Write to the shop')
    fireEvent.change(write, { target: { value: 'Two cartons' } })
    fireEvent.submit(write)
    expect(await screen.findByText('The message was not sent. Please try again.')).toBeTruthy()
    expect(write.value).toBe('Two cartons')
  })

  it('keeps the number in the address, and shows all messages without one', async () => {
    const { router } = await open('/simulator')
    expect(bubbles()).toHaveLength(2)
    expect(screen.queryByLabelText('Write to the shop')).toBeNull()
    fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '٣٦٠٠٠٠٠٧' } })
    fireEvent.click(screen.getByRole('button', { name: 'Open this phone' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ phone: '+97336000007' }))
    await waitFor(() => expect(screen.getByText('No messages yet')).toBeTruthy())
  })
})

it('codes and addresses are found in messages', () => {
  expect(codeIn('4321 رمز دخولك إلى قطرة\n\n@localhost #4321')).toBe('4321')
  expect(codeIn('654321 is your code')).toBe('654321')
  expect(codeIn('Order 12345678 arrives at 10:30')).toBeNull()
  expect(linked('see http://a.example/b now').map(({ href }) => href)).toEqual([null, 'http://a.example/b', null])
  expect(linked('javascript:alert(1)')[0]?.href).toBeNull()
})
