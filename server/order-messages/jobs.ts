import { setTimeout } from 'node:timers/promises'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { compareSlots, datesOf, promiseFields, slotOf } from '@qatra/contract/calendar/slot'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { allowsAction } from '@qatra/contract/orders/order-status'
import { staffSlotsFor } from '../calendar/delivery-days.ts'
import { readDeliveryTerms } from '../calendar/queries.ts'
import { claimMessage } from '../conversations/commands.ts'
import { callClaimed, deliverByFirst } from '../conversations/delivering.jobs.ts'
import { withdrawMessage } from '../conversations/sending.commands.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf, OrderNews } from '../jobs/queues.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { hasOpenAttempt } from '../orders/attempts.queries.ts'
import { claimUnannounced } from '../orders/promise/commands.ts'
import { receiptToken } from '../orders/receipt/link.ts'
import { type Gateways, gatewaysOf } from '../providers/gateways.ts'
import { failed, type Outcome } from '../providers/provider.ts'
import { deleteEndpoint } from '../push/commands.ts'
import { type Device, type PushGateway, type PushResult, pushGateway } from '../push/gateway.ts'
import { listDevices } from '../push/queries.ts'
import { fallBackToWhatsapp, findCurrent, pushKey, queueNews, queueOrderNews, repeatAsTemplate } from './commands.ts'
import { attemptChoices, driverNews, isOfSeveral, orderNews, orderNotice, receiptNews } from './message.ts'
import {
  findDriverUpdate,
  findNewsMissed,
  findOrderForMessage,
  findOrderUpdate,
  isOnlyAddress,
  type OrderUpdate,
} from './queries.ts'

/** Confirmations that staff send to customers. */
export function confirmationJobs(app: App) {
  app.queue.handle('order-confirmation', { expireInSeconds: 60 }, ({ data }) => confirm(app, data))
}

const confirm = (app: App, { id, reference }: { id: string; reference: string }) =>
  runJobTransaction(app.pool, async (ctx) => {
    const order = await findOrderForMessage(ctx.db, id)
    if (!order || !mayGetWhatsapp(order.phone, app.config.codeCountries)) return
    const message = orderNews(order, order.status === 'delivered' ? 'delivered' : 'confirmation', app.config.publicUrl)
    const news = { phone: order.phone, message, dedupeKey: `confirmation:${id}:${reference}`, hasFallback: true }
    await queueNews(ctx, news)
  })

/**
 * Providers accept some 80 messages a second from one sender; order messages leave room for codes and for interactive
 * replies.
 */
const INTERVAL_MS = 25

export function orderNewsJobs(app: App) {
  app.queue.handle('order-news', { concurrency: 1, batch: 50, expireInSeconds: 300 }, ({ data }) =>
    sendStatusNews(app, data),
  )
}

async function sendStatusNews(app: App, { id, to: kind, version }: JobOf<'order-news'>): Promise<void> {
  const news = { id, kind, version }
  if (await runJobTransaction(app.pool, (ctx) => queueOrderNews(ctx, app.config, news))) await setTimeout(INTERVAL_MS)
}

const SETTLE_MS = 3_000

/** Messages to drivers about assigned orders. */
export function driverNewsJobs(app: App) {
  // A driver who gets twenty orders at once gets one message: the first job waits, the others find it sent.
  app.queue.handle('driver-news', { concurrency: 1, batch: 50, expireInSeconds: 300 }, ({ data }) =>
    messageDriver(app, data),
  )
}

async function messageDriver(app: App, { id, driverId, version }: JobOf<'driver-news'>) {
  const update = await findDriverUpdate(app.db, id, driverId)
  if (!update || !mayGetWhatsapp(update.phone, app.config.codeCountries)) return
  // Waits for further assignments to this driver.
  await setTimeout(SETTLE_MS)
  const driver = await findDriverUpdate(app.db, id, driverId)
  if (!driver) return
  const { phone, language, open_orders: count } = driver
  const message = driverNews(language, count, `${app.config.publicUrl}/admin/orders`)
  const news = { phone, message, dedupeKey: `driver:${driverId}:${id}:${version}`, hasFallback: false }
  await runJobTransaction(app.pool, (ctx) => queueNews(ctx, news))
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

/** Several changes of a customer's orders within this time are announced by one message. */
const SETTLE_SECONDS = 60

type Config = App['config']

/** Messages about another delivery day, about edited orders and about failed attempts. */
export function movedNewsJobs(app: App) {
  const options = { delaySeconds: SETTLE_SECONDS, concurrency: 1, batch: 50, expireInSeconds: 300 }
  app.queue.handle('moved-news', options, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => announceMoves(ctx, app.config, data.id)),
  )
  // After a later edit, the job of that one announces both.
  app.queue.handle('edit-news', options, ({ data: { id, edit: version } }) =>
    runJobTransaction(app.pool, async (ctx) => {
      const kind = (await isOnlyAddress(ctx.db, id)) ? 'address' : 'edited'
      await queueOrderNews(ctx, app.config, { id, kind, version })
    }),
  )
  app.queue.handle('attempt-news', { expireInSeconds: 60 }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => askAfterAttempt(ctx, app.config, data.id)),
  )
}

async function announceMoves(ctx: JobContext, config: Config, id: string): Promise<void> {
  const [first, ...others] = await claimUnannounced(ctx, id)
  if (!first) return
  const days = datesOf([first, ...others].map(slotOf).sort(compareSlots))
  await queueOrderNews(ctx, config, { id: first.id, kind: 'rescheduled', version: first.version, days })
}

/** Offers the next open day or a call; once a day for an order. */
async function askAfterAttempt(ctx: JobContext, config: Config, id: string): Promise<void> {
  const order = await findOrderUpdate(ctx.db, id)
  if (!order || !allowsAction(order.status, 'customer', 'rescheduleAfterAttempt')) return
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return
  // Delivered or moved since.
  if (!(await hasOpenAttempt(ctx, id))) return
  const { now } = order
  const [next] = staffSlotsFor(await readDeliveryTerms(ctx, order.vendor_id), now)
  const asked = { ...order, ...promiseFields(next) }
  await queueNews(ctx, {
    phone: order.phone,
    message: orderNews(asked, 'attempted', config.publicUrl),
    choices: attemptChoices(asked),
    dedupeKey: `order:${id}:attempt-${bahrainDate(now)}`,
    hasFallback: true,
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
  const result = await callClaimed(app, id, async () =>
    outcomeOf(await Promise.all(devices.map((device) => sendTo(app, push, { device, order, news, id }))), id),
  )
  return result === 'undeliverable' ? 'failed' : 'done'
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

/** Sends receipts as documents, which the provider fetches from a link of its own. */
export function receiptNewsJobs(app: App) {
  const { secret, publicUrl, codeCountries } = app.config
  app.queue.handle('receipt-news', { expireInSeconds: 60 }, ({ data }) =>
    runJobTransaction(app.pool, async (ctx) => {
      const order = await findOrderForMessage(ctx.db, data.id)
      if (order?.status !== 'delivered' || !mayGetWhatsapp(order.phone, codeCountries)) return
      const token = receiptToken(secret, { orderId: order.id, lang: order.language }, new Date())
      const { template, document } = receiptNews(order, {
        link: `${publicUrl}/api/receipts/${token}`,
        filename: `receipt-${formatOrderId(order.id)}.pdf`,
      })
      await queueNews(ctx, {
        phone: order.phone,
        message: template,
        open: document,
        dedupeKey: data.reference,
        hasFallback: false,
      })
    }),
  )
}
