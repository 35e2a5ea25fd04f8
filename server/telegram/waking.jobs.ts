import type { App } from '../http/runtime.ts'
import { describeError } from '../lib/logger.ts'
import { isAnybodyLinked } from './queries.ts'
import { announceWaking, WAKING_CHANNEL } from './waking.commands.ts'

/**
 * A bot that is only played sleeps until somebody wants it: without queues that are looked at, without the library that
 * speaks with Telegram. All processes wake with one; a process that starts finds it awake where an account is linked.
 */
export function wakeWhenWanted(app: App, declare: () => void, listen: () => Promise<void>): () => Promise<void> {
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
    work().catch((error: unknown) => app.log.warn({ err: describeError(error) }, 'the make-believe bot did not wake'))
  }
  const wakeWhereLinked = quietly(async () => {
    if (await isAnybodyLinked(app.db)) await wake()
  })
  app.http.addHook('onReady', async () => {
    await app.listener.on(WAKING_CHANNEL, quietly(wake), wakeWhereLinked)
    wakeWhereLinked()
  })
  return async () => {
    // Each time: a process that started meanwhile, while nobody was linked, sleeps.
    await announceWaking(app.db)
    await wake()
  }
}
