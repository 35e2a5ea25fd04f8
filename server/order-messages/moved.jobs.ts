import { bahrainDate } from '@qatra/contract/calendar'
import { allowsAct, isClosed } from '@qatra/contract/order-status'
import { readDeliveryTerms } from '../calendar/delivery-days.queries.ts'
import { officeDaysOf } from '../calendar/delivery-days.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { takeUnannounced } from '../orders/promise/announcing.commands.ts'
import { countEdits, countFailedAttempts } from '../orders/queries.ts'
import { queueNews } from './commands.ts'
import { findOrderUpdate } from './customer.queries.ts'
import { attemptChoices, movedNews, orderNews } from './message.ts'

/** Several changes of a customer's orders within this time are announced by one message. */
const SETTLE_SECONDS = 60

type Config = App['config']

/** Messages about another delivery day, about edited orders and about failed attempts. */
export function movedNewsJobs(app: App) {
  app.queue.handle<{ id: string }>(
    'moved-news',
    { on: ['order.rescheduled'], delaySeconds: SETTLE_SECONDS, concurrency: 1, batch: 50, expireInSeconds: 300 },
    ({ data }) => runJobTransaction(app.pool, (ctx) => announceMoves(ctx, app.config, data.id)),
  )
  app.queue.handle<Edited>(
    'edit-news',
    {
      on: ['order.items-changed', 'order.address-changed'],
      delaySeconds: SETTLE_SECONDS,
      concurrency: 1,
      batch: 50,
      expireInSeconds: 300,
    },
    ({ data }) => runJobTransaction(app.pool, (ctx) => announceEdit(ctx, app.config, data)),
  )
  app.queue.handle<{ id: string }>('attempt-news', { on: ['order.attempted'], expireInSeconds: 60 }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => askAfterAttempt(ctx, app.config, data.id)),
  )
}

async function announceMoves(ctx: JobContext, config: Config, id: string): Promise<void> {
  const [first, ...others] = await takeUnannounced(ctx, id)
  if (!first) return
  const order = await findOrderUpdate(ctx.db, first.id)
  if (!order || !mayGetWhatsapp(order.phone, config.codeCountries)) return
  const days = [first, ...others].map(({ promisedDate }) => promisedDate).sort()
  const message =
    others.length === 0
      ? orderNews(order, 'rescheduled', config.publicUrl)
      : movedNews({ language: order.language, days }, config.publicUrl)
  const dedupeKey = `order:${first.id}:${first.version}`
  await queueNews(ctx, { phone: order.phone, message, dedupeKey, hasFallback: true })
}

interface Edited {
  id: string
  /** Number of the edit, from 1. */
  edit: number
}

/** Announces the last edit of a series: after a later edit, the job of that one does. */
async function announceEdit(ctx: JobContext, config: Config, { id, edit }: Edited): Promise<void> {
  const order = await findOrderUpdate(ctx.db, id)
  if (!order || isClosed(order.status)) return
  // After the lock of the order, for which edits wait.
  if ((await countEdits(ctx, id)).all !== edit) return
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return
  await queueNews(ctx, {
    phone: order.phone,
    message: orderNews(order, 'edited', config.publicUrl),
    dedupeKey: `order:${id}:edit-${edit}`,
    hasFallback: true,
  })
}

/** Offers the next open day or a call; once a day for an order. */
async function askAfterAttempt(ctx: JobContext, config: Config, id: string): Promise<void> {
  const order = await findOrderUpdate(ctx.db, id)
  if (!order || !allowsAct(order.status, 'customer', 'rescheduleAfterAttempt')) return
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return
  // Delivered or moved since.
  if ((await countFailedAttempts(ctx, id)) === 0) return
  const { now } = order
  const [day = order.promised_date] = officeDaysOf(await readDeliveryTerms(ctx, order.vendor_id), now)
  const asked = { ...order, promised_date: day }
  await queueNews(ctx, {
    phone: order.phone,
    message: orderNews(asked, 'attempted', config.publicUrl),
    choices: attemptChoices(asked),
    dedupeKey: `order:${id}:attempt-${bahrainDate(now)}`,
    hasFallback: true,
  })
}
