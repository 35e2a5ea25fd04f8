import { setTimeout } from 'node:timers/promises'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { queueNews } from './commands.ts'
import { findDriverUpdate } from './driver.queries.ts'
import { driverNews } from './message.ts'

const SETTLE_MS = 3_000

/** Messages to drivers about assigned orders. */
export function driverNewsJobs(app: App) {
  // A driver who gets twenty orders at once gets one message: the first job waits, the others find it sent.
  app.queue.handle<{ id: string; driverId: number; version: number }>(
    'driver-news',
    { on: ['order.driver-assigned'], concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => messageDriver(app, data),
  )
}

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
