import { claimMessage, recordOutcome } from '../conversations/commands.ts'
import { awaitDatabase } from '../database/db.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { failed, type Outcome } from '../providers/provider.ts'
import { deleteEndpoint } from '../push/commands.ts'
import { type Device, type PushGateway, type PushResult, pushGateway } from '../push/gateway.ts'
import { listDevices } from '../push/queries.ts'
import { fallBackToWhatsapp, findCurrent, ORDER_PUSH, type OrderNews, PUSH_FALLBACK, pushKey } from './commands.ts'
import type { OrderUpdate } from './customer.queries.ts'
import { isOfSeveral, orderNotice } from './message.ts'

/** Sends notifications about orders; without a confirmed one the news goes by WhatsApp. */
export function orderPushJobs(app: App, push = pushGateway(app.config)) {
  const fallBack = (news: OrderNews) =>
    runJobTransaction(app.pool, async (ctx) => void (await fallBackToWhatsapp(ctx, app.config, news)))
  app.queue.handle<OrderNews>(ORDER_PUSH, { concurrency: 4, expireInSeconds: 30 }, async ({ data }) => {
    if ((await notify(app, push, data)) === 'failed') await fallBack(data)
  })
  app.queue.handle<OrderNews>(PUSH_FALLBACK, {}, ({ data }) => fallBack(data))
}

/** Sends the notification to all devices of the customer, at most once. */
async function notify(app: App, push: PushGateway, news: OrderNews): Promise<'done' | 'failed'> {
  const claimed = await runJobTransaction(app.pool, (ctx) => claimNotification(ctx, news))
  if (typeof claimed === 'string') return claimed
  const { order, devices, id } = claimed
  const results = await Promise.all(devices.map((device) => sendTo(app, push, { device, order, news, id })))
  const outcome = outcomeOf(results, id)
  await awaitDatabase(() => runJobTransaction(app.pool, (ctx) => recordOutcome(ctx, id, outcome)))
  return outcome.ok || outcome.kind === 'unknown' ? 'done' : 'failed'
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
