import { setTimeout } from 'node:timers/promises'
import type { OrderStatus } from '@qatra/contract/order-status'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { queueNews } from './commands.ts'
import { findOrderUpdate } from './customer.queries.ts'
import { orderNews } from './message.ts'

interface OrderNews {
  id: string
  to: OrderStatus
  /** The order's version after this change: one message per version, however often the job runs. */
  version: number
}

/**
 * Providers accept some 80 messages a second from one sender; order messages leave room for codes and for interactive
 * replies.
 */
const PACE_MS = 25

const events = ['order.placed', 'order.status-changed', 'order.cancelled']

export function orderNewsJobs(app: App) {
  app.queue.handle<OrderNews>(
    'order-news',
    { on: events, concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => tell(app, data),
  )
}

async function tell(app: App, job: OrderNews): Promise<void> {
  if (await runJobTransaction(app.pool, (ctx) => queueOrderNews(ctx, app.config, job))) await setTimeout(PACE_MS)
}

async function queueOrderNews(ctx: JobContext, config: App['config'], { id, to, version }: OrderNews) {
  const order = await findOrderUpdate(ctx.db, id)
  // A later change sends its own message; the confirmation of a new order is sent anyway.
  if (!order || (order.status !== to && (to !== 'new' || order.status === 'cancelled'))) return null
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return null
  const message = orderNews(order, to, config.publicUrl)
  return queueNews(ctx, { phone: order.phone, message, dedupeKey: `order:${id}:${version}`, hasFallback: true })
}
