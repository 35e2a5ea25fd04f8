import { AppError, retryLater } from './errors.ts'

/** Releases once; further calls do nothing. */
export type Release = () => void

export interface Semaphore {
  acquire: () => Promise<Release>
  run: <T>(work: () => Promise<T>) => Promise<T>
  isIdle: () => boolean
}

interface Limits {
  permits: number
  /** Calls that wait for a permit; further ones are rejected. */
  maxWaiting?: number
}

async function releasing<T>(release: Release, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * A FIFO semaphore with a bounded queue. A waiting call continues in the next round of the event loop: works that block
 * it one after the other let other requests through.
 * @throws UNAVAILABLE when the queue is full
 */
export function createSemaphore(
  { permits, maxWaiting = Number.POSITIVE_INFINITY }: Limits,
  refusal = () => new AppError('UNAVAILABLE'),
): Semaphore {
  const waiting: (() => void)[] = []
  let held = 0

  async function acquire(): Promise<Release> {
    if (held < permits) held += 1
    else if (waiting.length >= maxWaiting) throw refusal()
    else await new Promise<void>((granted) => waiting.push(granted))
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const next = waiting.shift()
      if (next) setImmediate(next)
      else held -= 1
    }
  }

  return {
    acquire,
    run: async (work) => releasing(await acquire(), work),
    isIdle: () => held === 0,
  }
}

export interface KeyedSemaphore<Key> {
  acquire: (key: Key) => Promise<Release>
  run: <T>(key: Key, work: () => Promise<T>) => Promise<T>
}

/** A semaphore per key; with one permit a mutex per key. @throws TOO_MANY_REQUESTS when the queue of a key is full */
export function createKeyedSemaphore<Key>(limits: Limits): KeyedSemaphore<Key> {
  const semaphores = new Map<Key, Semaphore>()
  const refusal = () => retryLater('TOO_MANY_REQUESTS', 5)

  async function acquire(key: Key): Promise<Release> {
    const semaphore = semaphores.get(key) ?? createSemaphore(limits, refusal)
    semaphores.set(key, semaphore)
    const release = await semaphore.acquire()
    return () => {
      release()
      if (semaphore.isIdle() && semaphores.get(key) === semaphore) semaphores.delete(key)
    }
  }

  return { acquire, run: async (key, work) => releasing(await acquire(key), work) }
}
