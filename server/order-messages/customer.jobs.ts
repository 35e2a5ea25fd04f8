import { setTimeout } from 'node:timers/promises'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { queueOrderNews } from './commands.ts'

/**
 * Providers accept some 80 messages a second from one sender; order messages leave room for codes and for interactive
 * replies.
 */
const INTERVAL_MS = 25

interface StatusChange {
  id: string
  to: OrderStatus
  version: number
}

const events = ['order.placed', 'order.status-changed', 'order.cancelled']

export function orderNewsJobs(app: App) {
  app.queue.handle<StatusChange>(
    'order-news',
    { on: events, concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => sendStatusNews(app, data),
  )
}

async function sendStatusNews(app: App, { id, to: kind, version }: StatusChange): Promise<void> {
  const news = { id, kind, version }
  if (await runJobTransaction(app.pool, (ctx) => queueOrderNews(ctx, app.config, news))) await setTimeout(INTERVAL_MS)
}
