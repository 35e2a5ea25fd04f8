import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { allowsAction } from '@qatra/contract/orders/order-status'
import { readDeliveryTerms } from '../calendar/delivery-days.queries.ts'
import { staffDaysOf } from '../calendar/delivery-days.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { hasOpenAttempt } from '../orders/attempts.queries.ts'
import { claimUnannounced } from '../orders/promise/announcing.commands.ts'
import { queueNews, queueOrderNews } from './commands.ts'
import { findOrderUpdate, isOnlyAddress } from './customer.queries.ts'
import { attemptChoices, orderNews } from './message.ts'

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
  // After a later edit, the job of that one announces both.
  app.queue.handle<{ id: string; edit: number }>(
    'edit-news',
    {
      on: ['order.items-changed', 'order.address-changed'],
      delaySeconds: SETTLE_SECONDS,
      concurrency: 1,
      batch: 50,
      expireInSeconds: 300,
    },
    ({ data: { id, edit: version } }) =>
      runJobTransaction(app.pool, async (ctx) => {
        const kind = (await isOnlyAddress(ctx.db, id)) ? 'address' : 'edited'
        await queueOrderNews(ctx, app.config, { id, kind, version })
      }),
  )
  app.queue.handle<{ id: string }>('attempt-news', { on: ['order.attempted'], expireInSeconds: 60 }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => askAfterAttempt(ctx, app.config, data.id)),
  )
}

async function announceMoves(ctx: JobContext, config: Config, id: string): Promise<void> {
  const [first, ...others] = await claimUnannounced(ctx, id)
  if (!first) return
  const days = [first, ...others].map(({ promisedDate }) => promisedDate).sort()
  await queueOrderNews(ctx, config, { id: first.id, kind: 'rescheduled', version: first.version, days })
}

/** Offers the next open day or a call; once a day for an order. */
async function askAfterAttempt(ctx: JobContext, config: Config, id: string): Promise<void> {
  const order = await findOrderUpdate(ctx.db, id)
  if (!order || !allowsAction(order.status, 'customer', 'rescheduleAfterAttempt')) return
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return
  // Delivered or moved since.
  if (!(await hasOpenAttempt(ctx, id))) return
  const { now } = order
  const [day = order.promised_date] = staffDaysOf(await readDeliveryTerms(ctx, order.vendor_id), now)
  const asked = { ...order, promised_date: day }
  await queueNews(ctx, {
    phone: order.phone,
    message: orderNews(asked, 'attempted', config.publicUrl),
    choices: attemptChoices(asked),
    dedupeKey: `order:${id}:attempt-${bahrainDate(now)}`,
    hasFallback: true,
  })
}
