import { setTimeout } from 'node:timers/promises'
import { compareSlots, datesOf, slotOf } from '@qatra/contract/calendar/slot'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { claimMessage } from '../conversations/commands.ts'
import { deliverByFirst, storeOutcome } from '../conversations/delivering.jobs.ts'
import { withdrawMessage } from '../conversations/sending.commands.ts'
import { listReminders } from '../customers/due.queries.ts'
import { takeNumberLock } from '../database/advisory-lock.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import type { Job } from '../jobs/queue.ts'
import type { JobOf, OrderNews } from '../jobs/queues.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { messageOf, reminderOf, type ToDriver, type ToPhone } from '../notifications/event-messages.ts'
import { claimUnannounced } from '../orders/promise/commands.ts'
import { receiptLink } from '../orders/receipt/link.ts'
import { type Gateways, gatewaysOf } from '../providers/gateways.ts'
import { failed, type Outcome } from '../providers/provider.ts'
import { deleteEndpoint } from '../push/commands.ts'
import { type Device, type PushGateway, type PushResult, pushGateway } from '../push/gateway.ts'
import { listDevices } from '../push/queries.ts'
import {
  fallBackToWhatsapp,
  findCurrent,
  type News,
  pushKey,
  queueNews,
  queueOrderNews,
  repeatAsTemplate,
} from './commands.ts'
import { driverNews, isOfSeveral, orderNews, orderNotice, receiptNews } from './message.ts'
import { findDriverUpdate, findNewsMissed, findOrderForMessage, isOnlyAddress, type OrderUpdate } from './queries.ts'

/**
 * Providers accept some 80 messages a second from one sender; order messages leave room for codes and for interactive
 * replies.
 */
const INTERVAL_MS = 25

/** Messages about orders to customers and drivers, as `event-messages.ts` has them. */
export function orderNewsJobs(app: App) {
  const filter = (job: JobOf<'order-messages'>) => messageOf(job) !== undefined
  const delaySeconds = (job: JobOf<'order-messages'>) => messageOf(job)?.after ?? 0
  const options = { filter, delaySeconds, concurrency: 1, batch: 50, expireInSeconds: 300 }
  app.queue.handle('order-messages', options, async (job) => {
    if (await runJobTransaction(app.pool, (ctx) => tell(ctx, app.config, job))) await setTimeout(INTERVAL_MS)
  })
  app.queue.handle('receipt-news', { expireInSeconds: 60 }, async (job) => {
    await runJobTransaction(app.pool, (ctx) => tell(ctx, app.config, job))
  })
}

type Config = App['config']

async function tell(
  ctx: JobContext,
  config: Config,
  { id: jobId, data }: Job<JobOf<'order-messages' | 'receipt-news'>>,
) {
  const message = messageOf(data)
  if (message?.to === 'customer') {
    const { kind, by, version = jobId } = message
    const news = await newsFor(ctx, { id: data.id, kind, by, version })
    return news && queueOrderNews(ctx, config, news)
  }
  const news =
    message?.to === 'phone'
      ? await newsForPhone(ctx, config, data.id, message)
      : message && (await newsForDriver(ctx, config, data.id, message))
  const mayGet = news && mayGetWhatsapp(news.phone, config.codeCountries)
  return mayGet ? queueNews(ctx, { ...news, hasFallback: message?.by.includes('sms') ?? false }) : null
}

/** Several moves are one message. After a later edit, the job of that one announces both. */
async function newsFor(ctx: JobContext, news: OrderNews): Promise<OrderNews | null> {
  if (news.kind === 'edited') return { ...news, kind: (await isOnlyAddress(ctx.db, news.id)) ? 'address' : 'edited' }
  if (news.kind !== 'rescheduled') return news
  const [first, ...others] = await claimUnannounced(ctx, news.id)
  if (!first) return null
  const days = datesOf([first, ...others].map(slotOf).sort(compareSlots))
  return { ...news, id: first.id, version: first.version, days }
}

type NewsToPhone = Omit<News, 'hasFallback'> | null

async function newsForPhone(
  ctx: JobContext,
  config: Config,
  id: string,
  { text, reference }: ToPhone,
): Promise<NewsToPhone> {
  const order = await findOrderForMessage(ctx.db, id)
  if (!order) return null
  const { phone, language: lang } = order
  const isDelivered = order.status === 'delivered'
  if (text === 'confirmation') {
    const message = orderNews(order, isDelivered ? 'delivered' : text, config.publicUrl)
    return { phone, message, dedupeKey: `confirmation:${id}:${reference}` }
  }
  if (!isDelivered) return null
  // A document, which the provider fetches from a link of its own.
  const { url: link } = receiptLink(config, { orderId: id, lang }, new Date())
  const { template, document } = receiptNews(order, { link, filename: `receipt-${formatOrderId(id)}.pdf` })
  return { phone, message: template, open: document, dedupeKey: reference }
}

async function newsForDriver(
  ctx: JobContext,
  config: Config,
  id: string,
  { driverId, version }: ToDriver,
): Promise<NewsToPhone> {
  // Of orders that were assigned together, the job that comes second finds the message of the first.
  await takeNumberLock(ctx.db, 'driver-news', driverId)
  const driver = await findDriverUpdate(ctx.db, id, driverId)
  if (!driver) return null
  const message = driverNews(driver.language, driver.open_orders, `${config.publicUrl}/admin/orders`)
  return { phone: driver.phone, message, dedupeKey: `driver:${driverId}:${id}:${version}` }
}

/** Repeats news as its template after the service window, and sends an SMS if WhatsApp failed or gave no receipt within half a minute. */
export function newsFallbackJobs(app: App, gateways: Pick<Gateways, 'sms'> = gatewaysOf(app)) {
  app.queue.handle('news-fallback', { concurrency: 2, retryLimit: 6, retryDelay: 5 }, async ({ data }) => {
    if (await runJobTransaction(app.pool, (ctx) => repeatAsTemplate(ctx, data.messageId))) return
    const { sms } = gateways
    const news = sms && (await findNewsMissed(app.db, data.messageId))
    if (!news || !mayGetSms(news.phone)) return
    // Withdraws the WhatsApp message: a recovered provider must not send it again hours later.
    await runJobTransaction(app.pool, (ctx) => withdrawMessage(ctx, data.messageId))
    const { phone: to, language: lang, content: text, dedupe_key: key } = news
    const message = { dedupeKey: `${key}:sms`, to, channel: 'sms', type: 'text', content: text } as const
    await deliverByFirst(app, [() => ({ message, call: (reference) => sms.send({ to, lang, text, reference }) })])
  })
}

/** Sends notifications about orders; without a confirmed one the news goes by WhatsApp. */
export function orderPushJobs(app: App, push = pushGateway(app.config)) {
  const fallBack = (news: OrderNews) =>
    runJobTransaction(app.pool, async (ctx) => void (await fallBackToWhatsapp(ctx, app.config, news)))
  app.queue.handle('order-push', { concurrency: 4, expireInSeconds: 30 }, async ({ data }) => {
    if ((await notify(app, push, data)) === 'failed') await fallBack(data)
  })
  app.queue.handle('push-fallback', {}, ({ data }) => fallBack(data))
}

/** Sends the notification to all devices of the customer, at most once. */
async function notify(app: App, push: PushGateway, news: OrderNews): Promise<'done' | 'failed'> {
  const claimed = await runJobTransaction(app.pool, (ctx) => claimNotification(ctx, news))
  if (typeof claimed === 'string') return claimed
  const { order, devices, id } = claimed
  const results = await Promise.all(devices.map((device) => sendTo(app, push, { device, order, news, id })))
  return (await storeOutcome(app, id, outcomeOf(results, id))) === 'undeliverable' ? 'failed' : 'done'
}

/** One transaction: an erasure waits for the lock of the order, then finds the message with the phone and deletes it. */
async function claimNotification(ctx: JobContext, news: OrderNews) {
  const order = await findCurrent(ctx, news)
  if (!order) return 'done'
  const devices = await listDevices(ctx.db, order.user_id)
  if (devices.length === 0) return 'failed'
  const { title, body } = orderNotice(order, news)
  const id = await claimMessage(ctx, {
    dedupeKey: pushKey(news),
    to: order.phone,
    channel: 'push',
    type: 'text',
    content: `${title}\n${body}`,
  })
  return id === null ? 'done' : { order, devices, id }
}

interface Sending {
  device: Device
  order: OrderUpdate
  news: OrderNews
  id: number
}

async function sendTo(app: App, push: PushGateway, { device, order, news, id }: Sending): Promise<PushResult> {
  const path = isOfSeveral(news) ? '/orders' : `/orders/${order.id}`
  const message = { id, lang: order.language, ...orderNotice(order, news), path, tag: order.id }
  const result = await push.send(device, message)
  if (result === 'gone') await deleteEndpoint(app.db, device.endpoint)
  return result
}

function outcomeOf(results: readonly PushResult[], id: number): Outcome {
  if (results.includes('accepted')) return { ok: true, messageId: `push:${id}` }
  // A push service may have accepted it: the confirmation decides.
  if (results.includes('unanswered')) return failed('unknown', 'UNANSWERED', 'The push service did not answer')
  return failed('undeliverable', 'NO_DEVICE', 'No push service accepted the notification')
}

/** Reminds customers who asked for it that the next order is due: once for each due date, and not on a Friday. */
export function reminderJobs(app: App) {
  app.queue.handle('due-reminders', { expireInSeconds: 600 }, async () => {
    for (const { orderId, dueDate } of await listReminders({ db: app.db, now: app.clock.now() })) {
      const queued = await runJobTransaction(app.pool, (ctx) =>
        queueOrderNews(ctx, app.config, reminderOf(orderId, dueDate)),
      )
      if (queued) await setTimeout(INTERVAL_MS)
    }
  })
}
