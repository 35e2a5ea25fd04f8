import { retryLater } from './errors.ts'

/** Releases once; further calls do nothing. */
export type Release = () => void

/** More waiting calls per person are refused. */
const MAX_WAITING = 3

/** A FIFO mutex per person. */
export function createKeyedMutex(): (person: number) => Promise<Release> {
  const lines = new Map<number, { last: Promise<void>; count: number }>()
  return async (person) => {
    const line = lines.get(person) ?? { last: Promise.resolve(), count: 0 }
    if (line.count > MAX_WAITING) throw retryLater('TOO_MANY_REQUESTS', 5)
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = line.last
    lines.set(person, line)
    line.count += 1
    line.last = promise
    await before
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      line.count -= 1
      if (line.count === 0) lines.delete(person)
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
