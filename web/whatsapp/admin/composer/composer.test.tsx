import { listCannedReplies } from '@qatra/contract/whatsapp/inbox/canned-replies'
import { uploadConversationFile } from '@qatra/contract/whatsapp/inbox/files'
import { type ConversationDetail, sendReply } from '@qatra/contract/whatsapp/inbox/inbox'
import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { reportPresence } from '@qatra/contract/whatsapp/inbox/work'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useMemo, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import type { Colleague } from '../chat/presence.ts'
import { MessageBubble, PendingBubble } from '../thread/Bubble.tsx'
import { Composer } from './Composer.tsx'
import { usePending } from './outbox.ts'
import { QuotingProvider } from './quoting.ts'

const sha256 = 'a'.repeat(64)
let shop: FakeShop
let replies: unknown[]
let uploads: { file: File; finish: (status?: number) => void; progress: (loaded: number) => void }[]
let contactId = 100

/** The part of XMLHttpRequest that uploads use. */
class FakeUpload {
  status = 0
  responseText = ''
  onload = () => {}
  upload = { onprogress: (_: { loaded: number; total: number }) => {}, onload: () => {} }
  open() {}
  setRequestHeader() {}
  getResponseHeader = () => null
  send(form: FormData) {
    const file = form.get('file') as File
    uploads.push({
      file,
      progress: (loaded) => this.upload.onprogress({ loaded, total: 100 }),
      finish: (status = 200) => {
        const kept = { sha256, type: 'image', mimeType: 'image/webp', size: 3, seconds: null }
        const refused = { code: 'FILE_REFUSED', message: '', details: {} }
        this.status = status
        this.responseText = JSON.stringify(status === 200 ? kept : refused)
        this.onload()
      },
    })
  }
}

const message = (more: Partial<Message> = {}): Message => ({
  id: 7,
  direction: 'incoming',
  channel: 'whatsapp',
  type: 'text',
  text: 'Is the gate open?',
  parts: {},
  status: 'received',
  problem: null,
  mayRetry: false,
  isRetried: false,
  by: { type: 'customer', user: null },
  at: '2026-11-21T09:00:00.000Z',
  sentAt: null,
  deliveredAt: null,
  seenAt: null,
  editedAt: null,
  isRead: true,
  isQuotable: true,
  answers: null,
  ...more,
})
const now = new Date('2026-11-21T10:00:00.000Z')

beforeEach(() => {
  setUpScreen()
  contactId += 1
  replies = []
  uploads = []
  shop = fakeShop()
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  shop.on(sendReply, ({ body }) => {
    replies.push(body)
    return message({ id: 8, direction: 'outgoing', by: { type: 'staff', user: null }, status: 'queued' })
  })
  shop.on(listCannedReplies, () => ({ items: [], page: 1, limit: 100, total: 0 }))
  shop.on(reportPresence, () => ({ success: true as const }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Chat({ shown, others = [] }: { shown?: Message | undefined; others?: readonly Colleague[] }) {
  const [quoted, quote] = useState<Message | null>(null)
  const quoting = useMemo(() => ({ quoted, quote }), [quoted])
  const quiet = {
    pausedUntil: null,
    pausedBy: null,
    waitingSince: null,
    waitingOrderId: null,
    orderId: null,
    language: null,
    account: null,
    name: null,
  }
  const detail = { contactId, orders: [], windowEndsAt: '2026-11-22T09:00:00.000Z', last: null, ...quiet } as unknown // the read fields
  return (
    <QuotingProvider value={quoting}>
      <section aria-label="Chat">
        <ul>
          {shown && <MessageBubble message={shown} contactId={contactId} isLast={false} isHit={false} />}
          {usePending(contactId).map((pending) => (
            <PendingBubble key={pending.key} pending={pending} />
          ))}
        </ul>
        <Composer contactId={contactId} detail={detail as ConversationDetail} others={others} now={now} />
      </section>
    </QuotingProvider>
  )
}
const show = (shown?: Message) => renderInAdmin(() => <Chat shown={shown} />)
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Answer')
const enter = () => fireEvent.keyDown(field(), { key: 'Enter' })
const type = (text: string) => fireEvent.change(field(), { target: { value: text } })
const pdf = () => new File(['%PDF'], 'bill.pdf', { type: 'application/pdf' })
const attach = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Photo, video or file'), { target: { files } })

it('a message that the provider did not deliver says why in words, and names other codes', async () => {
  const failed = (code: string, text: string) =>
    message({ direction: 'outgoing', status: 'failed', problem: { code, text, kind: 'undeliverable' } })
  await show(failed('131026', 'Message undeliverable'))
  expect(screen.getByText('This number gets no WhatsApp messages at present').title).toBe(
    '131026: Message undeliverable',
  )
  cleanup()
  await show(failed('131021', 'Recipient is the sender'))
  expect(screen.getByText('131021: Recipient is the sender')).toBeTruthy()
})

describe('an answer across a colleague', () => {
  it('is asked about while the colleague types, and sent when confirmed', async () => {
    const khalid = { id: 99, name: 'Khalid', isTyping: true }
    await renderInAdmin(() => <Chat others={[khalid]} />)
    type('On our way')
    enter()
    const asked = await screen.findByRole('dialog', { name: 'Khalid is typing an answer' })
    fireEvent.click(within(asked).getByRole('button', { name: 'Wait' }))
    expect([field().value, replies]).toEqual(['On our way', []])
    enter()
    fireEvent.click(await screen.findByRole('button', { name: 'Send anyway' }))
    await waitFor(() => expect(replies).toEqual([{ body: 'On our way' }]))
    expect(field().value).toBe('')
  })

  it('ends for colleagues when it is sent or its text is removed', async () => {
    const states: string[] = []
    shop.on(reportPresence, ({ body }) => {
      states.push((body as { state: string }).state)
      return { success: true as const }
    })
    await show()
    type('On our way')
    type('On our way!')
    await waitFor(() => expect(states).toEqual(['typing']))
    enter()
    await waitFor(() => expect(states).toEqual(['typing', 'looking']))
    type('O')
    type('')
    await waitFor(() => expect(states).toEqual(['typing', 'looking', 'typing', 'looking']))
  })

  it('that was given meanwhile is kept with the reason, and sent when confirmed', async () => {
    shop.on(sendReply, () => refusal('CONVERSATION_ANSWERED', { name: 'Khalid' }))
    await show()
    type('On our way')
    enter()
    expect(await screen.findByText(/A colleague has just answered/)).toBeTruthy()
    shop.on(sendReply, ({ body }) => {
      replies.push(body)
      return message({ id: 9, direction: 'outgoing', by: { type: 'staff', user: null }, status: 'queued' })
    })
    fireEvent.click(screen.getByRole('button', { name: 'Send anyway' }))
    await waitFor(() => expect(replies).toEqual([{ body: 'On our way' }]))
  })
})

describe('the reply field', () => {
  it('never sends "/" or the beginning of a shortcut on Enter', async () => {
    await show()
    for (const text of ['/', '/hel', '/ ']) {
      type(text)
      enter()
    }
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('No canned reply is called'))
    expect(replies).toEqual([])
    type('/ is a slash')
    enter()
    await waitFor(() => expect(replies).toEqual([{ body: '/ is a slash' }]))
  })

  it('uploads a chosen file with its progress, and sends it with the text as caption', async () => {
    await show()
    attach(pdf())
    await screen.findByText('bill.pdf')
    type('The bill')
    enter()
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.progress(40)
    await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40'))
    expect(replies).toEqual([])
    uploads[0]?.finish()
    await waitFor(() => expect(replies).toEqual([{ body: 'The bill', file: { sha256, filename: 'bill.pdf' } }]))
    await waitFor(() => expect(screen.queryByText('bill.pdf')).toBeNull())
  })

  it('takes pasted and dropped files, and none that are too large', async () => {
    await show()
    fireEvent.paste(field(), { clipboardData: { files: [pdf()] } })
    await screen.findByText('bill.pdf')
    const dropped = new File(['%PDF'], 'second.pdf', { type: 'application/pdf' })
    fireEvent.drop(screen.getByLabelText('Chat'), { dataTransfer: { files: [dropped], types: ['Files'] } })
    await screen.findByText('second.pdf')
    const large = new File(['%PDF'], 'large.pdf', { type: 'application/pdf' })
    Object.defineProperty(large, 'size', { value: 17 * 1024 * 1024 })
    attach(large)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('16 MB'))
    expect(screen.queryByText('large.pdf')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Remove second.pdf' }))
    await waitFor(() => expect(screen.queryByText('second.pdf')).toBeNull())
  })

  it('keeps a file that was not sent, and uploads it once for all attempts', async () => {
    let isDown = true
    shop.on(sendReply, ({ body }) => {
      if (isDown) return refusal('UNAVAILABLE')
      replies.push(body)
      return message({ id: 9, direction: 'outgoing' })
    })
    await show()
    attach(pdf())
    await screen.findByText('bill.pdf')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.finish()
    const again = await screen.findByRole('button', { name: 'Send again' })
    isDown = false
    fireEvent.click(again)
    await waitFor(() => expect(replies).toEqual([{ file: { sha256, filename: 'bill.pdf' } }]))
    expect(uploads).toHaveLength(1)
  })

  it('says why a file was refused', async () => {
    await show()
    attach(pdf())
    await screen.findByText('bill.pdf')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.finish(422)
    await screen.findByText('Files of this kind cannot be sent.')
    expect(uploadConversationFile.path).toBe('/api/admin/whatsapp/uploads')
  })
})

describe('a message', () => {
  it('is quoted by the next reply, and by none after Escape', async () => {
    await show(message())
    fireEvent.click(screen.getByRole('button', { name: 'Reply to this message' }))
    await screen.findByRole('button', { name: 'Reply without the quote' })
    fireEvent.keyDown(field(), { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reply without the quote' })).toBeNull())
    fireEvent.click(screen.getByRole('button', { name: 'Reply to this message' }))
    type('Yes')
    enter()
    await waitFor(() => expect(replies).toEqual([{ body: 'Yes', replyTo: 7 }]))
    expect(screen.queryByRole('button', { name: 'Reply without the quote' })).toBeNull()
  })

  it('shows the reactions of both sides; the same emoji again removes one’s own', async () => {
    shop.on(sendReply, ({ body }) => {
      replies.push(body)
      return message({ id: 8, type: 'reaction', direction: 'outgoing' })
    })
    const reactions = [
      { emoji: '❤️', isOwn: false },
      { emoji: '👍', isOwn: true },
    ]
    await show(message({ parts: { reactions } }))
    expect(screen.getByText('Reaction of the customer:').parentElement?.textContent).toContain('❤️')
    fireEvent.click(screen.getByRole('button', { name: 'React' }))
    fireEvent.click(await screen.findByRole('button', { name: '👍' }))
    await waitFor(() => expect(replies).toEqual([{ reaction: { messageId: 7, emoji: null } }]))
    fireEvent.click(screen.getByRole('button', { name: 'React' }))
    fireEvent.click(await screen.findByRole('button', { name: '🙏' }))
    await waitFor(() => expect(replies.at(-1)).toEqual({ reaction: { messageId: 7, emoji: '🙏' } }))
  })
})
