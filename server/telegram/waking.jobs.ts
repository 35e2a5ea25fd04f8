import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { describeError } from '../lib/logger.ts'
import { isAnybodyLinked } from './queries.ts'

/** Channel that activates the simulated bot in all processes. */
const CHANNEL = 'telegram_waking'
const wakeSql = statement('telegram-waking', `select pg_notify('${CHANNEL}', '')`)

/**
 * Activates a simulated bot on first use; until then no queue is polled and the library is not loaded. One process
 * activates all others; a starting process activates it if an account is linked.
 */
export function startWhenUsed(app: App, declare: () => void, listen: () => Promise<void>): () => Promise<void> {
  let isDeclared = false
  let waking: Promise<void> | null = null
  async function begin() {
    if (!isDeclared) declare()
    isDeclared = true
    await app.queue.start()
    await listen()
  }
  function wake(): Promise<void> {
    waking ??= begin().catch((error: unknown) => {
      waking = null
      throw error
    })
    return waking
  }
  const quietly = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => app.log.warn({ err: describeError(error) }, 'the simulated bot did not start'))
  }
  const wakeWhereLinked = quietly(async () => {
    if (await isAnybodyLinked(app.db)) await wake()
  })
  app.http.addHook('onReady', async () => {
    await app.listener.on(CHANNEL, quietly(wake), wakeWhereLinked)
    wakeWhereLinked()
  })
  return async () => {
    // Repeated, since a process started meanwhile may be inactive.
    await run(app.db, wakeSql)
    await wake()
  }
}
