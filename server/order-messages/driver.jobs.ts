import { setTimeout } from 'node:timers/promises'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { queueNews } from './commands.ts'
import { driverNews, orderNews } from './message.ts'
import { findDriverUpdate, findOrderToConfirm } from './staff.queries.ts'

const SETTLE_MS = 3_000

/** Confirmations sent by staff, and messages to drivers about assigned orders. */
export function adminNewsJobs(app: App) {
  app.queue.handle<{ id: string; reference: string }>(
    'order-confirmation',
    { on: ['order.confirmation-asked'], expireInSeconds: 60 },
    ({ data }) => confirm(app, data),
  )
  // A driver who gets twenty orders at once gets one message: the first job waits, the others find it sent.
  app.queue.handle<{ id: string; driverId: number; version: number }>(
    'driver-news',
    { on: ['order.driver-assigned'], concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => messageDriver(app, data),
  )
}

const confirm = (app: App, { id, reference }: { id: string; reference: string }) =>
  runJobTransaction(app.pool, async (ctx) => {
    const order = await findOrderToConfirm(ctx.db, id)
    if (!order || !mayGetWhatsapp(order.phone, app.config.codeCountries)) return
    const message = orderNews(order, order.status === 'delivered' ? 'delivered' : 'confirmation', app.config.publicUrl)
    const news = { phone: order.phone, message, dedupeKey: `confirmation:${id}:${reference}`, hasFallback: true }
    await queueNews(ctx, news)
  })

async function messageDriver(app: App, { id, driverId, version }: { id: string; driverId: number; version: number }) {
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
