import { setTimeout } from 'node:timers/promises'
import { formatDay } from '@qatra/contract/calendar'
import { formatMoney } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import type { App } from '../platform/runtime.ts'
import { wordsIn } from '../platform/words.ts'
import { claimMessage, noteOutcome } from './commands.ts'
import type { TextGateway, TextLetter } from './letter.ts'
import { findDriverToTell, findOrderToConfirm } from './office-news.queries.ts'
import { mayGetWhatsapp } from './reach.ts'
import { simulatorGateway } from './simulator.gateway.ts'

const SETTLE_MS = 3_000

/** Real WhatsApp takes business news as approved templates only, so its words wait for those. */
const gatewayOf = (app: App): TextGateway | null => (app.config.simulator ? simulatorGateway(app, 'whatsapp') : null)

/** What the office sends by hand, and what its drivers are told. */
export function officeNewsJobs(app: App, gateway: TextGateway | null = gatewayOf(app)) {
  app.queue.handle<{ id: string; reference: string }>(
    'order-confirmation',
    { on: ['order.confirmation-asked'], expireInSeconds: 60 },
    ({ data }) => (gateway ? confirm(app, gateway, data) : Promise.resolve()),
  )
  // A morning's orders are handed over together: whoever gets twenty is told once.
  app.queue.handle<{ id: string; driverId: number; version: number }>(
    'driver-news',
    { on: ['order.driver-assigned'], concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => (gateway ? tellDriver(app, gateway, data) : Promise.resolve()),
  )
}

async function confirm(app: App, gateway: TextGateway, { id, reference }: { id: string; reference: string }) {
  const order = await findOrderToConfirm(app.db, id)
  if (!order || !mayGetWhatsapp(order.phone, app.config.codeCountries)) return
  const { language: lang, vendor_name: name, vendor_name_ar: nameAr, status } = order
  const text = wordsIn(lang)(status === 'delivered' ? 'news.order.delivered' : 'news.order.confirmation', {
    // Isolated, so that its groups keep their order between Arabic words.
    id: `\u2066${formatOrderId(id)}\u2069`,
    vendor: lang === 'ar' && nameAr?.trim() ? nameAr : name,
    day: formatDay(order.promised_date, lang, 'long'),
    total: formatMoney(order.total, lang),
  })
  await send(app, gateway, `confirmation:${id}:${reference}`, { to: order.phone, lang, text })
}

async function tellDriver(
  app: App,
  gateway: TextGateway,
  { id, driverId, version }: { id: string; driverId: number; version: number },
) {
  const isToTell = await findDriverToTell(app.db, id, driverId)
  if (!isToTell || !mayGetWhatsapp(isToTell.phone, app.config.codeCountries)) return
  // Whoever hands over a morning's orders is rarely done with the first.
  await setTimeout(SETTLE_MS)
  const driver = await findDriverToTell(app.db, id, driverId)
  if (!driver) return
  const { phone: to, language: lang, open_orders: count } = driver
  const text = wordsIn(lang)('news.driver.assigned', { count, url: `${app.config.publicUrl}/admin/orders` })
  await send(app, gateway, `driver:${driverId}:${id}:${version}`, { to, lang, text })
}

async function send(app: App, gateway: TextGateway, dedupeKey: string, letter: Omit<TextLetter, 'reference'>) {
  const messageId = await claimMessage(app, {
    dedupeKey,
    to: letter.to,
    channel: 'whatsapp',
    type: 'text',
    content: letter.text,
  })
  if (messageId === null) return
  const outcome = await gateway.send({ ...letter, reference: String(messageId) })
  await noteOutcome(app, messageId, outcome)
  if (!outcome.ok && outcome.kind === 'busy') throw new Error('The provider is busy')
}
