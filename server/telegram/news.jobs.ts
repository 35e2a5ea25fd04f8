import { parseLoginWord } from '../auth/message-login.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { type OrderJob, orderEvents, partsOf } from '../notifications/jobs.ts'
import { findReceived } from './mirror.queries.ts'
import { findOrderOfNews, listeners } from './queries.ts'
import { queueTelegram } from './sending.commands.ts'
import { messageWords, orderWords } from './words.ts'

/** Sends notifications with an alert to linked Telegram accounts too. */
export function newsJobs(app: App) {
  app.queue.handle<OrderJob>('telegram-orders', { on: orderEvents }, ({ id, data }) => tellOrder(app, id, data))
  app.queue.handle<{ messageId: number }>('telegram-messages', { on: ['message.received'] }, ({ data }) =>
    tellMessage(app, data.messageId),
  )
}

async function tellOrder(app: App, jobId: string, job: OrderJob): Promise<void> {
  const order = await findOrderOfNews(app.db, job.id)
  if (!order) return
  for (const { kind, status = null, driverId = order.driver_id, formerDriverId = null } of partsOf(job)) {
    // Cancelled before the notification was sent.
    if (kind === 'order-placed' && order.status === 'cancelled') continue
    const event = { kind, vendorId: order.vendor_id, driverId, formerDriverId, agentId: order.agent_id }
    const people = await listeners(app.db, event, job.by ?? null)
    await runJobTransaction(app.pool, async (ctx) => {
      for (const { id: userId, chatId, language, role } of people) {
        const text = orderWords(order, { kind, status, role, publicUrl: app.config.publicUrl }, language)
        await queueTelegram(ctx, { chatId, userId, text, dedupeKey: `order:${jobId}:${kind}:${userId}` })
      }
    })
  }
}

const toAll = { kind: 'message-received', vendorId: null, driverId: null, formerDriverId: null, agentId: null } as const

async function tellMessage(app: App, messageId: number): Promise<void> {
  const message = await findReceived(app.db, messageId)
  if (!message || parseLoginWord(message.content ?? '') !== null) return
  const people = await listeners(app.db, toAll)
  await runJobTransaction(app.pool, async (ctx) => {
    for (const { id: userId, chatId, language } of people) {
      const text = messageWords(message, language, app.config.publicUrl)
      const contactId = message.contact_id
      await queueTelegram(ctx, { chatId, userId, contactId, text, dedupeKey: `message:${messageId}:${userId}` })
    }
  })
}
