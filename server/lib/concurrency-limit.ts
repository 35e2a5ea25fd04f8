import { AppError } from './errors.ts'

export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Semaphore with a bounded queue for page rendering, which blocks the event loop. Yields between two pages so that API
 * calls get a turn; rejects with UNAVAILABLE when the queue is full.
 */
export function createConcurrencyLimit({ atOnce, waiting }: { atOnce: number; waiting: number }): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside < atOnce) inside += 1
    else if (queue.length >= waiting) throw new AppError('UNAVAILABLE')
    else await new Promise<void>((enter) => queue.push(enter))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) setImmediate(next)
      else inside -= 1
    }
  }
}
