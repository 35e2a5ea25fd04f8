import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { awaitDatabase, type Db } from './db.ts'
import type { Listener } from './listener.ts'

/** Small data that every request reads: one immutable value per process, with a version. */
export interface ReferenceData<T> {
  current: () => T
  /** Incremented on every replacement of the value. */
  version: () => number
  /** Milliseconds since the database was last read, whether or not anything had changed. */
  age: () => number
  /** Reads the value again; a writer awaits this before it responds. */
  reload: () => Promise<void>
  onChange: (watcher: () => void) => void
  stop: () => void
}

export const REFERENCE_CHANNEL = 'reference'
const RETRY_MS = 1_000
const MAX_TRIES = 60
/** Limits staleness when a notification is lost without a lost connection. */
const REREAD_MS = 60_000

/** Reloaded by notifications on the `reference` channel, after reconnecting, by each writer, and once a minute. */
export async function createReferenceData<T>(
  read: (db: Db) => Promise<T>,
  db: Db,
  listener: Listener,
  log: Logger,
  rereadMs = REREAD_MS,
): Promise<ReferenceData<T>> {
  let readAt = 0
  async function readNow() {
    const begunAt = performance.now()
    const value = await read(db)
    readAt = begunAt
    return value
  }
  let held: { value: Awaited<T> } | null = null
  let version = 0
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  const watchers: (() => void)[] = []

  const current = () => {
    if (!held) throw new Error('reference data is not read yet')
    return held.value
  }
  function replace(value: Awaited<T>) {
    held = { value }
    version += 1
    for (const watcher of watchers) watcher()
  }
  async function load() {
    waiting = null
    replace(await readNow())
  }
  /** Keeps the version, and with it all cached pages, if nothing has changed. */
  async function reread() {
    const value = await readNow()
    if (!isDeepStrictEqual(value, current())) replace(value)
  }
  // Serialized, so that an older read never replaces a newer one. A reload requested during a read needs another read,
  // since the running one may have started before the change; all waiting calls share it.
  function renew(): Promise<void> {
    waiting ??= last = last.catch(() => undefined).then(load)
    return waiting
  }
  function renewLater(tries = MAX_TRIES) {
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
  // After the start of LISTEN, so that no change is missed.
  await awaitDatabase(renew)

  return {
    current,
    version: () => version,
    age: () => performance.now() - readAt,
    reload: renew,
    onChange: (watcher) => void watchers.push(watcher),
    stop: () => clearInterval(timer),
  }
}
