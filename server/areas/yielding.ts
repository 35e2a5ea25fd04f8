import { setImmediate } from 'node:timers/promises'
import type { Steps } from '@qatra/contract/places/outline'
import { createSemaphore } from '../lib/concurrency.ts'

/** How long a computation may block the event loop. */
const SLICE_MS = 5

/** One computation continues in each round of the event loop, however many there are. */
const nextRound = createSemaphore({ permits: 1 })

/** Runs a long computation, yielding to the event loop between slices. */
export async function runYielding<T>(steps: Steps<T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < until) continue
    await nextRound.run(() => setImmediate())
    until = performance.now() + SLICE_MS
  }
}
