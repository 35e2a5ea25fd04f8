import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { queueNews } from './commands.ts'
import { findOrderForMessage } from './customer.queries.ts'
import { orderNews } from './message.ts'

/** Confirmations that staff send to customers. */
export function confirmationJobs(app: App) {
  app.queue.handle<{ id: string; reference: string }>(
    'order-confirmation',
    { on: ['order.confirmation-asked'], expireInSeconds: 60 },
    ({ data }) => confirm(app, data),
  )
}

const confirm = (app: App, { id, reference }: { id: string; reference: string }) =>
  runJobTransaction(app.pool, async (ctx) => {
    const order = await findOrderForMessage(ctx.db, id)
    if (!order || !mayGetWhatsapp(order.phone, app.config.codeCountries)) return
    const message = orderNews(order, order.status === 'delivered' ? 'delivered' : 'confirmation', app.config.publicUrl)
    const news = { phone: order.phone, message, dedupeKey: `confirmation:${id}:${reference}`, hasFallback: true }
    await queueNews(ctx, news)
  })
