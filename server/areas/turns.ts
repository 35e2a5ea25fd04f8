import { setImmediate } from 'node:timers/promises'
import type { Steps } from '@qatra/contract/outline'

/** How long one piece of a long look may hold up everybody else. */
const TURN_MS = 5

let last: Promise<void> = Promise.resolve()

/** One turn for each round of the event loop, however many long looks there are. */
function myTurn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}

/** Walks a long look to its end and lets other requests go first now and then. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  // A short look is over before its first pause.
  for (let until = performance.now() + TURN_MS; ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < until) continue
    await myTurn()
    until = performance.now() + TURN_MS
  }
}
