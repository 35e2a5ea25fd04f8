import { retryLater } from './errors.ts'

/** Releases once; further calls do nothing. */
export type Release = () => void

/** A FIFO mutex per key. More than `maxWaiting` waiting calls of a key are refused. */
export function createKeyedMutex<Key = number>(maxWaiting = 3): (key: Key) => Promise<Release> {
  const lines = new Map<Key, { last: Promise<void>; count: number }>()
  return async (key) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), count: 0 }
    if (line.count > maxWaiting) throw retryLater('TOO_MANY_REQUESTS', 5)
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = line.last
    lines.set(key, line)
    line.count += 1
    line.last = promise
    await before
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      line.count -= 1
      if (line.count === 0) lines.delete(key)
      resolve()
    }
  }
}

/** A FIFO semaphore with `count` permits. */
export function createSemaphore(count: number): () => Promise<Release> {
  const waiting: (() => void)[] = []
  let free = count
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((enter) => waiting.push(enter))
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
