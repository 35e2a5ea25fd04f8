import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describeError } from '../platform/logging.ts'
import type { App } from '../platform/runtime.ts'
import { working } from '../platform/transaction.ts'
import type { Telegram } from './gateway.ts'
import { storeUpdate } from './updates.commands.ts'
import { TELEGRAM_WEBHOOK } from './webhook.ts'

const LOCK = 7_301_981
const AGAIN_MS = 5_000
const LOOK_MS = 5_000

/** By webhook where a secret is set, else by asking: one process at a time, whoever holds the lock. */
export function keepListening(app: App, telegram: Telegram) {
  const stopping = new AbortController()
  const { webhookSecret } = app.config.telegram
  app.http.addHook('onReady', async () => {
    // Never awaited: a shop starts without Telegram.
    void again(app, stopping.signal, async () => {
      if (webhookSecret !== null) return hearByWebhook(app, telegram, webhookSecret)
      await telegram.learnName()
      await poll(app, telegram, stopping.signal)
    })
  })
  app.http.addHook('onClose', async () => stopping.abort())
}

/** Telegram is told where to call. */
export async function hearByWebhook({ config }: App, telegram: Telegram, secret: string): Promise<void> {
  await telegram.learnName()
  await telegram.useWebhook(`${config.publicUrl}${TELEGRAM_WEBHOOK}`, secret)
}

/** Until it is done, or the process stops. */
async function again(app: App, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      // Its words may hold the address, and the address the bot's token.
      app.log.warn({ kind: error instanceof Error ? error.name : 'unknown' }, 'Telegram is not reached')
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}

async function poll(app: App, telegram: Telegram, signal: AbortSignal): Promise<void> {
  const { connectionString } = app.pool.options
  while (!signal.aborted) {
    const holder = new pg.Client({ connectionString, application_name: 'qatra-telegram' })
    const losing = new AbortController()
    holder.on('error', (error) => {
      app.log.warn({ err: describeError(error) }, 'the connection that holds the lock of Telegram is lost')
      losing.abort()
    })
    try {
      await holder.connect()
      const { rows } = await holder.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK])
      if (rows[0]?.held) await ask(app, telegram, AbortSignal.any([signal, losing.signal]))
    } finally {
      await holder.end().catch(() => {})
    }
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

async function ask(app: App, telegram: Telegram, signal: AbortSignal): Promise<void> {
  await telegram.useNoWebhook()
  let offset: number | undefined
  while (!signal.aborted) {
    const updates = await telegram.updates(offset, signal)
    // Telegram forgets what lies before the offset, so it moves once they are stored.
    await working(app.pool, async (ctx) => {
      for (const update of updates) await storeUpdate(ctx, update)
    })
    const last = updates.at(-1)
    if (last) offset = last.update_id + 1
  }
}
