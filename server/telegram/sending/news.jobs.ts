import { parseLoginWord } from '../../auth/message-login.ts'
import { findRungVendorIds } from '../../conversations/policy.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import type { JobOf } from '../../jobs/queues.ts'
import { staffNewsOf } from '../../notifications/event-messages.ts'
import { isForStaff } from '../../notifications/jobs.ts'
import { findOrderOfNews, findVisitOfNews, listeners } from '../queries.ts'
import { findReceived } from '../topics/mirror.queries.ts'
import { messageWords, orderWords, visitWords } from '../words.ts'
import { queueTelegram } from './sending.commands.ts'

/** Sends notifications with an alert to linked Telegram accounts too. */
export function newsJobs(app: App) {
  app.queue.handle('telegram-orders', { filter: isForStaff }, ({ id, data }) => notifyOfOrder(app, id, data))
  app.queue.handle('telegram-visits', {}, ({ id, data }) => notifyOfVisit(app, id, data))
  app.queue.handle('telegram-messages', {}, ({ id, data }) => notifyOfMessage(app, id, data))
}

const ofNoContact = { contactId: null, vendorIds: [] } as const

async function notifyOfOrder(app: App, jobId: string, job: JobOf<'telegram-orders'>): Promise<void> {
  const order = await findOrderOfNews(app.db, job.id)
  if (!order) return
  for (const { kind, status = null, driverId = order.driver_id, formerDriverId = null } of staffNewsOf(job)) {
    // Cancelled before the notification was sent.
    if (kind === 'order-placed' && order.status === 'cancelled') continue
    const event = { ...ofNoContact, kind, vendorId: order.vendor_id, driverId, formerDriverId, agentId: order.agent_id }
    const people = await listeners(app.db, event, job.by)
    await runJobTransaction(app.pool, async (ctx) => {
      for (const { id: userId, chatId, language, role } of people) {
        const text = orderWords(order, { kind, status, role, publicUrl: app.config.publicUrl }, language)
        await queueTelegram(ctx, { chatId, userId, text, dedupeKey: `order:${jobId}:${kind}:${userId}` })
      }
    })
  }
}

async function notifyOfVisit(app: App, jobId: string, job: JobOf<'telegram-visits'>): Promise<void> {
  const visit = await findVisitOfNews(app.db, Number(job.id))
  if (!visit) return
  const { vendorId, driverId, formerDriverId } = job
  for (const { kind } of staffNewsOf(job)) {
    const event = { ...ofNoContact, kind, vendorId, driverId, formerDriverId, agentId: null }
    const people = await listeners(app.db, event, job.by)
    await runJobTransaction(app.pool, async (ctx) => {
      for (const { id: userId, chatId, language, role } of people) {
        const text = visitWords(visit, { kind, role, publicUrl: app.config.publicUrl }, language)
        await queueTelegram(ctx, { chatId, userId, text, dedupeKey: `visit:${jobId}:${userId}` })
      }
    })
  }
}

/** A message for staff, or a conversation that begins to wait for them or waits too long; its last message is shown then. */
async function notifyOfMessage(app: App, jobId: string, job: JobOf<'telegram-messages'>): Promise<void> {
  const isMessage = job.event === 'message.received'
  if (isMessage && !job.isAwaited) return
  const { contactId } = job
  const message = await findReceived(app.db, contactId, isMessage ? job.messageId : null)
  if (!message || parseLoginWord(message.content ?? '') !== null) return
  const isLate = job.event === 'conversation.late'
  const kind = isMessage ? 'message-received' : isLate ? 'conversation-late' : 'conversation-waiting'
  const vendorIds = await findRungVendorIds(app.db, contactId)
  const people = await listeners(app.db, { ...ofNoOrder, kind, contactId, vendorIds })
  await runJobTransaction(app.pool, async (ctx) => {
    for (const { id: userId, chatId, language: lang, vendorId } of people) {
      const isTheirs = vendorId === null || vendorId === message.order_vendor_id
      const isComplaint = !isMessage && !isLate && message.handoff_reason === 'trouble'
      const complaint = isComplaint ? { orderId: isTheirs ? message.order_id : null } : null
      const text = messageWords(message, { lang, publicUrl: app.config.publicUrl, complaint, isLate })
      const dedupeKey = isMessage ? `message:${job.messageId}:${userId}` : `waiting:${message.id}:${jobId}:${userId}`
      await queueTelegram(ctx, { chatId, userId, contactId, text, dedupeKey })
    }
  })
}

const ofNoOrder = { vendorId: null, driverId: null, formerDriverId: null, agentId: null } as const
