import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lockKeys } from '../../database/advisory-lock.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import { describeError } from '../../lib/logger.ts'
import type { Telegram } from '../../providers/telegram/gateway.ts'
import { storeUpdate } from './updates.commands.ts'
import { TELEGRAM_WEBHOOK } from './webhook.ts'

const CHECK_INTERVAL_MS = 5_000

/** Required parts of the app. */
interface Listener {
  config: Pick<App['config'], 'publicUrl' | 'telegram'>
  pool: App['pool']
  directUrl: string
  log: Record<'warn' | 'info', (about: object, words: string) => void>
}

export function startPolling(app: App, telegram: Telegram) {
  const stopping = new AbortController()
  // Not awaited: the shop starts without Telegram.
  app.http.addHook('onReady', async () => void pollUpdates(app, telegram, createBackoff(), stopping.signal))
  app.http.addHook('onClose', async () => stopping.abort())
}

/**
 * Registers the webhook if a secret is configured, else polls in the process that holds the lock. Ends when the webhook
 * is registered or the process stops.
 */
export async function pollUpdates(
  app: Listener,
  telegram: Telegram,
  backoff: Backoff,
  signal: AbortSignal,
): Promise<void> {
  const { webhookSecret } = app.config.telegram
  await again(app, backoff, signal, async () => {
    if (webhookSecret !== null) return registerWebhook(app, telegram, webhookSecret)
    await telegram.readName()
    await poll(app, { telegram, backoff }, signal)
  })
}

/** Registers the webhook's URL. */
export async function registerWebhook(
  { config }: Pick<Listener, 'config'>,
  telegram: Telegram,
  secret: string,
): Promise<void> {
  await telegram.readName()
  await telegram.useWebhook(`${config.publicUrl}${TELEGRAM_WEBHOOK}`, secret)
}

/** Retries until success or the end of the process. */
async function again(app: Listener, backoff: Backoff, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      const { times, waitMs, isLogged } = backoff.failed()
      // The message may contain the URL, and the URL the bot's token.
      const kind = error instanceof Error ? error.name : 'unknown'
      if (isLogged) app.log.warn({ kind, times }, 'Telegram is not reached')
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}

interface Asking {
  telegram: Telegram
  backoff: Backoff
}

async function poll(app: Listener, asking: Asking, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const holder = new pg.Client({ connectionString: app.directUrl, application_name: 'qatra-telegram' })
    const losing = new AbortController()
    holder.on('error', (error) => {
      app.log.warn({ err: describeError(error) }, 'the connection that holds the lock of Telegram is lost')
      losing.abort()
    })
    try {
      await holder.connect()
      const { rows } = await holder.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
        lockKeys.telegram,
      ])
      if (rows[0]?.held) await ask(app, asking, AbortSignal.any([signal, losing.signal]))
    } finally {
      await holder.end().catch(() => {})
    }
    await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

async function ask(app: Listener, { telegram, backoff }: Asking, signal: AbortSignal): Promise<void> {
  await telegram.useNoWebhook()
  let offset: number | undefined
  while (!signal.aborted) {
    const updates = await telegram.updates(offset, signal)
    const times = backoff.reached()
    if (times > 0) app.log.info({ times }, 'Telegram is reached again')
    // Telegram deletes updates before the offset, so it moves only after they are stored.
    await runJobTransaction(app.pool, async (ctx) => {
      for (const update of updates) await storeUpdate(ctx, update)
    })
    const last = updates.at(-1)
    if (last) offset = last.update_id + 1
  }
}

export interface BackoffLimits {
  firstMs: number
  longestMs: number
}
const usual: BackoffLimits = { firstMs: 5_000, longestMs: 60_000 }

export interface Backoff {
  /**
   * Number of consecutive failures, the next delay, and whether to log it: at the first failure and at each doubling.
   */
  failed: () => { times: number; waitMs: number; isLogged: boolean }
  /** Resets; returns the number of failures before. */
  reached: () => number
}

/** Exponential backoff with jitter, up to a minute. */
export function createBackoff({ firstMs, longestMs }: BackoffLimits = usual, random = Math.random): Backoff {
  let times = 0
  return {
    failed() {
      const most = Math.min(longestMs, firstMs * 2 ** Math.min(times, 20))
      times += 1
      return { times, waitMs: most * (0.75 + random() / 4), isLogged: (times & (times - 1)) === 0 }
    },
    reached() {
      const before = times
      times = 0
      return before
    },
  }
}
