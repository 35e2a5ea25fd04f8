import { AppError } from './errors.ts'

export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Rendering keeps the process busy, so pages pass a few at a time; between two of them whoever calls the interface gets
 * a turn. The ones that find too many before them are told to come back.
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
