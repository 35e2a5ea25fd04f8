import { setTimeout } from 'node:timers/promises'
import { formatDay } from '@qatra/contract/calendar'
import { formatMoney } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import type { OrderStatus } from '@qatra/contract/order-status'
import type { App } from '../platform/runtime.ts'
import { wordsIn } from '../platform/words.ts'
import { claimMessage, noteOutcome } from './commands.ts'
import type { TextGateway } from './letter.ts'
import { findOrderToTell, type OrderToTell } from './order-news.queries.ts'
import { mayGetWhatsapp } from './reach.ts'
import { simulatorGateway } from './simulator.gateway.ts'

interface OrderNews {
  id: string
  to: OrderStatus
  /** The order's after this move: one message for each, however often the job runs. */
  version: number
}

/** Providers take some 80 messages a second of one sender; news leaves room for codes, and for those who order now. */
const PACE_MS = 25

const events = ['order.placed', 'order.status-changed', 'order.cancelled']

/** Real WhatsApp takes business news as approved templates only, so its words wait for those. */
const gatewayOf = (app: App): TextGateway | null => (app.config.simulator ? simulatorGateway(app, 'whatsapp') : null)

export function orderNewsJobs(app: App, gateway: TextGateway | null = gatewayOf(app)) {
  app.queue.handle<OrderNews>(
    'order-news',
    { on: events, concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => (gateway ? tell(app, gateway, data) : Promise.resolve()),
  )
}

async function tell(app: App, gateway: TextGateway, { id, to, version }: OrderNews): Promise<void> {
  const order = await findOrderToTell(app.db, id)
  // What has moved on since has newer news of its own; that the order was placed is worth telling all the same.
  if (!order || (order.status !== to && (to !== 'new' || order.status === 'cancelled'))) return
  if (!mayGetWhatsapp(order.phone, app.config.codeCountries)) return
  const text = newsText(order, id, to)
  const messageId = await claimMessage(app, {
    dedupeKey: `order:${id}:${version}`,
    to: order.phone,
    channel: 'whatsapp',
    type: 'text',
    content: text,
  })
  if (messageId === null) return
  const outcome = await gateway.send({ to: order.phone, lang: order.language, text, reference: String(messageId) })
  await noteOutcome(app, messageId, outcome)
  await setTimeout(PACE_MS)
  if (!outcome.ok && outcome.kind === 'busy') throw new Error('The provider is busy')
}

function newsText(order: OrderToTell, id: string, to: OrderStatus): string {
  const { language, vendor_name: name, vendor_name_ar: nameAr } = order
  return wordsIn(language)(`news.order.${to}`, {
    // Isolated, so that its groups keep their order between Arabic words.
    id: `\u2066${formatOrderId(id)}\u2069`,
    vendor: language === 'ar' && nameAr?.trim() ? nameAr : name,
    day: formatDay(order.promised_date, language, 'long'),
    total: formatMoney(order.total, language),
  })
}
