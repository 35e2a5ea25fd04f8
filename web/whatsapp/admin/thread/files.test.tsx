import { refetchMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import type { MessageFile as File, Message } from '@qatra/contract/whatsapp/inbox/message'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop } from '../../../checkout/test-shop.tsx'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast } from '../../../ui/Toast.tsx'
import { MessageBubble } from './Bubble.tsx'
import { playTime } from './file-words.ts'

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

const stored: File = { state: 'kept', mimeType: 'audio/ogg', size: 5568, seconds: 62, problem: null, mayRetry: false }
const named: File = { ...stored, state: 'named', mimeType: null, size: null, seconds: null }
function messageWith(type: string, file: File, parts: Partial<Message['parts']> = {}, text = ''): Message {
  return {
    id: 7,
    direction: 'incoming',
    channel: 'whatsapp',
    type,
    text,
    parts: { file, ...parts },
    status: 'received',
    problem: null,
    mayRetry: false,
    isRetried: false,
    by: { type: 'customer', user: null },
    at: '2026-11-21T09:00:00.000Z',
    editedAt: null,
    sentAt: null,
    deliveredAt: null,
    seenAt: null,
    isRead: true,
    isQuotable: false,
    answers: null,
  }
}
const show = (message: Message) =>
  renderInAdmin(() => (
    <ul>
      <MessageBubble message={message} contactId={3} isLast={false} isHit={false} />
    </ul>
  ))

describe('file of a customer', () => {
  it('plays a voice message without preloading it, with what was heard under it', async () => {
    await show(messageWith('audio', stored, { isVoice: true, transcript: 'كرتونين هيرات' }))
    expect(screen.getByText('Written down by a machine').parentElement?.textContent).toContain('كرتونين هيرات')
    const player = screen.getByLabelText('Voice message')
    expect([player.tagName, player.getAttribute('preload'), player.getAttribute('src')]).toEqual([
      ...['AUDIO', 'none', '/api/admin/whatsapp/files/7'],
    ])
    expect(player.hasAttribute('controls')).toBe(true)
    expect(screen.getByText('1:02')).toBeTruthy()
    expect(screen.getByText('5 KB')).toBeTruthy()
  })

  it('plays a video with its caption, and offers a download if playback fails', async () => {
    await show(messageWith('video', { ...stored, mimeType: 'video/3gpp', size: 2_500_000 }, {}, 'The gate'))
    const player = screen.getByLabelText('Video')
    expect([player.tagName, player.getAttribute('preload')]).toEqual(['VIDEO', 'metadata'])
    expect(screen.getByText('2.4 MB')).toBeTruthy()
    fireEvent.error(player)
    expect(screen.getByText('It cannot be played here.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Save' }).getAttribute('href')).toBe('/api/admin/whatsapp/files/7')
    expect(screen.getByText('The gate')).toBeTruthy()
  })

  it('offers a document for download, and shows its name once in a bdi element', async () => {
    const filename = 'فاتورة 2026.pdf'
    await show(messageWith('document', { ...stored, mimeType: 'application/pdf' }, { filename }, filename))
    const link = screen.getByRole('link', { name: /^Save:\s*فاتورة 2026\.pdf/ })
    expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual(['/api/admin/whatsapp/files/7', true])
    expect(screen.getAllByText(filename)).toHaveLength(1)
    expect(screen.getByText(filename).tagName).toBe('BDI')
  })

  it('shows that it is being fetched, without a retry button', async () => {
    await show(messageWith('audio', { ...named, state: 'fetching' }))
    expect(screen.getByText('Being fetched from WhatsApp…')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it.each([
    ['away', 'It could not be fetched from WhatsApp.', true],
    ['gone', 'WhatsApp no longer has it.', false],
    ['kind', 'Files of this kind are not kept here.', false],
    ['large', 'Too large to be kept here.', false],
    ['much', 'This customer sent too much today, so it was not fetched.', true],
  ] as const)(
    'shows its name and size if it is not stored (%s), with a retry where it helps',
    async (problem, words, mayRetry) => {
      await show(messageWith('document', { ...named, problem, mayRetry, size: 31_457_280 }, { filename: 'plan.pdf' }))
      expect(screen.getByText('plan.pdf')).toBeTruthy()
      expect(screen.getByText(words)).toBeTruthy()
      expect(screen.getByText('30 MB')).toBeTruthy()
      expect(screen.queryAllByRole('button', { name: 'Try again' })).toHaveLength(mayRetry ? 1 : 0)
    },
  )

  it.each(['image', 'sticker'])('shows a missing %s with its reason and a retry', async (type) => {
    await show(messageWith(type, { ...named, state: 'fetching' }))
    expect(screen.getByText('Being fetched from WhatsApp…')).toBeTruthy()
    cleanup()
    await show(messageWith(type, { ...named, problem: 'away', mayRetry: true }))
    expect(screen.getByText(type === 'image' ? 'Photo' : 'Sticker')).toBeTruthy()
    expect(screen.getByText('It could not be fetched from WhatsApp.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
    cleanup()
    await show(messageWith(type, { ...named, problem: 'broken' }))
    expect(screen.getByText('The picture cannot be shown here. Ask the customer to send another.')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('sends one request when the retry button is clicked twice', async () => {
    const message = messageWith('audio', { ...named, problem: 'away', mayRetry: true })
    let count = 0
    shop.on(refetchMessageFile, () => {
      count += 1
      return message
    })
    await show(message)
    const button = screen.getByRole('button', { name: 'Try again' })
    act(() => button.click())
    act(() => button.click())
    await waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false))
    expect(count).toBe(1)
  })
})

describe('message of a customer', () => {
  const plain = (type: string, more: Partial<Message>): Message => ({
    ...messageWith(type, named),
    parts: {},
    ...more,
  })

  it('that was edited shows its latest text and that it was edited', async () => {
    await show(plain('text', { text: '5 cartons', editedAt: '2026-11-21T09:01:00.000Z' }))
    expect(screen.getByText('5 cartons')).toBeTruthy()
    expect(screen.getByText('Edited')).toBeTruthy()
  })

  it('that was deleted shows only that', async () => {
    await show(plain('revoked', {}))
    expect(screen.getByText('Deleted by the customer')).toBeTruthy()
    expect(screen.queryByText('Edited')).toBeNull()
  })

  it('with an order from the catalogue shows the products, unknown ones by their id', async () => {
    const items = [
      { id: '4', name: 'Heerat', nameAr: 'هيرات', size: '500ml', quantity: 3 },
      { id: 'sku-7', name: null, nameAr: null, size: null, quantity: 1 },
    ]
    await show(plain('order', { parts: { items }, text: 'soon please' }))
    const shown = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(shown).toContain('3 × Heerat · 500 ml')
    expect(shown).toContain('1 × sku-7')
    expect(screen.getByText('soon please')).toBeTruthy()
  })

  it('with a filled-in form shows the answers', async () => {
    await show(plain('flow', { parts: { answers: [{ name: 'day', value: 'Sunday' }] } }))
    expect(screen.getByText('day').tagName).toBe('DT')
    expect(screen.getByText('Sunday')).toBeTruthy()
  })
})

describe('play time', () => {
  it.each([
    [7, '0:07'],
    [62, '1:02'],
    [3723, '1:02:03'],
  ])('formats %s seconds as %s', (seconds, words) => {
    expect(playTime(seconds)).toBe(words)
  })
})
