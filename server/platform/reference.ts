import type { Logger } from 'pino'
import type { Db } from './db.ts'
import type { Listener } from './listener.ts'

/** Small data that everybody reads, held by each process as one immutable value with a version. */
export interface Reference<T> {
  current: () => T
  /** Raised whenever the value was replaced. */
  version: () => number
  /** Reads the value anew; a writer awaits this before it answers. */
  renew: () => Promise<void>
  onChange: (heard: () => void) => void
}

export const REFERENCE_CHANNEL = 'reference'

/** Renewed by a notice on the `reference` channel, wholly after a lost connection, and by whoever writes. */
export async function holdReference<T>(
  read: (db: Db) => Promise<T>,
  db: Db,
  listener: Listener,
  log: Logger,
): Promise<Reference<T>> {
  let value = await read(db)
  let version = 1
  let running: Promise<void> | null = null
  let again: Promise<void> | null = null
  const watchers: (() => void)[] = []

  async function load() {
    value = await read(db)
    version += 1
    for (const heard of watchers) heard()
  }
  const begin = () => {
    running = load().finally(() => {
      running = null
    })
    return running
  }
  // A renewal asked for while one runs needs another: the running one may have read before the change.
  function renew(): Promise<void> {
    if (!running) return begin()
    again ??= running
      .catch(() => undefined)
      .then(() => {
        again = null
        return begin()
      })
    return again
  }
  const renewLater = () => void renew().catch((error) => log.error({ err: error }, 'reference data not renewed'))
  listener.on(REFERENCE_CHANNEL, renewLater, renewLater)

  return {
    current: () => value,
    version: () => version,
    renew,
    onChange: (heard) => void watchers.push(heard),
  }
}
