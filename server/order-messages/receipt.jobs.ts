import { formatOrderId } from '@qatra/contract/orders/order-id'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { receiptToken } from '../orders/receipt/link.ts'
import { queueNews } from './commands.ts'
import { findOrderForMessage } from './customer.queries.ts'
import { receiptNews } from './message.ts'

/** Sends receipts as documents, which the provider fetches from a link of its own. */
export function receiptNewsJobs(app: App) {
  const { secret, publicUrl, codeCountries } = app.config
  app.queue.handle<{ id: string; reference: string }>(
    'receipt-news',
    { on: ['order.receipt-asked'], expireInSeconds: 60 },
    ({ data }) =>
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
