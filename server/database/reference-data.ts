import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Db } from './db.ts'
import type { Listener } from './listener.ts'

/** Small data that everybody reads, held by each process as one immutable value with a version. */
export interface ReferenceData<T> {
  current: () => T
  /** Raised whenever the value was replaced. */
  version: () => number
  /** Reads the value anew; a writer awaits this before it answers. */
  reload: () => Promise<void>
  onChange: (heard: () => void) => void
  stop: () => void
}

export const REFERENCE_CHANNEL = 'reference'
const RETRY_MS = 1_000
const MOST_TRIES = 60
/** Limits staleness when a notification is lost without a lost connection. */
const REREAD_MS = 60_000

/** Renewed by notifications on the `reference` channel, after reconnecting, by each writer, and once a minute. */
export async function createReferenceData<T>(
  read: (db: Db) => Promise<T>,
  db: Db,
  listener: Listener,
  log: Logger,
  rereadMs = REREAD_MS,
): Promise<ReferenceData<T>> {
  const held = { value: await read(db) }
  let version = 1
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  const watchers: (() => void)[] = []

  function replace(value: Awaited<T>) {
    held.value = value
    version += 1
    for (const heard of watchers) heard()
  }
  async function load() {
    waiting = null
    replace(await read(db))
  }
  /** Keeps the version, and with it all cached pages, if nothing has changed. */
  async function reread() {
    const value = await read(db)
    if (!isDeepStrictEqual(value, held.value)) replace(value)
  }
  // One after the other, so that an older reading never replaces a newer one. A renewal asked for while one runs needs
  // another, since the running one may have read before the change; all that wait share the next.
  function renew(): Promise<void> {
    waiting ??= last = last.catch(() => undefined).then(load)
    return waiting
  }
  function renewLater(tries = MOST_TRIES) {
    renew().catch((error) => {
      log.error({ err: error }, 'reference data not renewed')
      if (tries > 1) setTimeout(() => renewLater(tries - 1), RETRY_MS).unref()
    })
  }
  await listener.on(
    REFERENCE_CHANNEL,
    () => renewLater(),
    () => renewLater(),
  )
  const timer = setInterval(() => {
    last = last.catch(() => undefined).then(reread)
    last.catch((error: unknown) => log.error({ err: error }, 'reference data not reread'))
  }, rereadMs).unref()
  // What changed between the first reading and the first notice that could be heard.
  await renew()

  return {
    current: () => held.value,
    version: () => version,
    reload: renew,
    onChange: (heard) => void watchers.push(heard),
    stop: () => clearInterval(timer),
  }
}
