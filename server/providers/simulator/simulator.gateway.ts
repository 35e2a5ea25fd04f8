import { randomUUID } from 'node:crypto'
import type { App } from '../../http/runtime.ts'
import { wordsOf } from '../message.ts'
import { failed, type MessageGateway, type Outcome, type Receipt, type TextGateway } from '../provider.ts'
import { signatureOf, webhookSecret } from '../whatsapp-cloud/signature.ts'
import { phoneOf, receiptsCall, type SimulatedReceipt } from './calls.ts'
import { keepSimulated } from './commands.ts'
import { simulatedMedia } from './media.ts'
import { simulatorKey } from './queries.ts'

const SENT_MS = 60
const DELIVERED_MS = 250
const READ_MS = 400
/** Receipts that are due within so long travel in one call. */
const GATHER_MS = 40

type Planned = Pick<SimulatedReceipt, 'status'> & { after: number }

/**
 * What becomes of a message, by the end of its number: 9990 always fails, 9991 gets it and never confirms, 9992 reads
 * at once, 9993 confirms everything in the wrong order and twice, 9994 takes it and then fails. All others confirm.
 */
function fateOf(phone: string): readonly Planned[] {
  const sent = { status: 'sent', after: SENT_MS } as const
  const delivered = { status: 'delivered', after: DELIVERED_MS } as const
  const read = { status: 'read', after: READ_MS } as const
  if (phone.endsWith('9991')) return []
  if (phone.endsWith('9992')) return [sent, delivered, read]
  if (phone.endsWith('9993')) {
    return [read, delivered, sent, read, sent].map(({ status }, place) => ({ status, after: SENT_MS * (place + 1) }))
  }
  if (phone.endsWith('9994')) return [sent, { status: 'failed', after: DELIVERED_MS }]
  return [sent, delivered]
}

/** Posts to the shop's own webhook as Meta does: signed, over the whole of the HTTP interface. */
export async function callWebhook(app: App, body: object): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(body))
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/webhooks/whatsapp',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': signatureOf(webhookSecret(app.config) ?? '', bytes),
      'user-agent': 'facebookexternalua',
    },
    payload: bytes,
  })
  return answer.statusCode
}

interface Network {
  /** Calls back with the receipts of a message, as its number has it. */
  confirmLater: (message: { messageId: string; phone: string; reference: string }) => void
  later: (work: () => Promise<unknown>, ms: number) => void
  noteSmsReceipt: NoteSmsReceipt
}

/** Stores the receipt of an SMS: there is no provider whose webhook could be played. */
type NoteSmsReceipt = (receipt: { messageId: string; reference: string; status: Receipt }) => Promise<unknown>
const networks = new WeakMap<App, Network>()

function networkOf(app: App): Network {
  const known = networks.get(app)
  if (known) return known
  const pending = new Set<NodeJS.Timeout>()
  let due: SimulatedReceipt[] = []
  app.http.addHook('onClose', async () => {
    for (const timer of pending) clearTimeout(timer)
  })
  const later: Network['later'] = (work, ms) => {
    const timer = setTimeout(() => {
      pending.delete(timer)
      work().catch((error: unknown) => app.log.warn({ err: error }, 'the simulated network failed'))
    }, ms)
    pending.add(timer)
  }
  async function flush() {
    const receipts = due
    due = []
    const status = await callWebhook(app, receiptsCall(receipts))
    if (status !== 200) app.log.warn({ status, count: receipts.length }, 'simulated receipts not taken')
  }
  const network: Network = {
    later,
    noteSmsReceipt: async () => {},
    confirmLater(message) {
      for (const { status, after } of fateOf(message.phone)) {
        later(async () => {
          if (due.length === 0) later(flush, GATHER_MS)
          const error = status === 'failed' ? { error: { code: 131026, title: 'Message undeliverable' } } : {}
          due.push({ ...message, status, at: new Date(), ...error })
        }, after)
      }
    },
  }
  networks.set(app, network)
  return network
}

/** Sets what receives the receipts of simulated SMS; they are dropped until then. */
export function deliverSmsReceipts(app: App, note: NoteSmsReceipt): void {
  networkOf(app).noteSmsReceipt = note
}

interface Parcel {
  phone: string
  channel: 'whatsapp' | 'sms'
  body: string
  parts?: object
  reference: string
}

async function carry(app: App, { phone, channel, body, parts, reference }: Parcel): Promise<Outcome> {
  if (channel === 'whatsapp' && phone.endsWith('9990'))
    return failed('undeliverable', '131026', 'Message undeliverable')
  const messageId = `${channel === 'sms' ? 'sim' : 'wamid.sim'}.${randomUUID()}`
  const key = simulatorKey(app.config.secret)
  await keepSimulated(app, key, { id: messageId, phone, direction: 'outgoing', channel, body, parts })
  const line = body.split('\n').filter(Boolean).join(' · ')
  app.print(`[simulator] ${channel === 'sms' ? 'SMS' : 'WhatsApp'} to ${phone}: ${line}`)
  if (channel === 'whatsapp') networkOf(app).confirmLater({ messageId, phone, reference })
  else if (!phone.endsWith('9991')) {
    const network = networkOf(app)
    network.later(() => network.noteSmsReceipt({ messageId, reference, status: 'delivered' }), DELIVERED_MS)
  }
  return { ok: true, messageId }
}

/** Words to make-believe phones. */
export function simulatorGateway(app: App, channel: 'whatsapp' | 'sms'): TextGateway {
  networkOf(app)
  return { send: ({ to, text, reference }) => carry(app, { phone: to, channel, body: text, reference }) }
}

/** Conversations with make-believe phones, which show lists and buttons. */
export function simulatorMessages(app: App): MessageGateway {
  networkOf(app)
  return {
    hasWindow: true,
    send: ({ to, message, reference }) =>
      carry(app, { phone: phoneOf(to), channel: 'whatsapp', body: wordsOf(message), parts: message, reference }),
    markRead: async () => {},
    fetchMedia: simulatedMedia,
  }
}
