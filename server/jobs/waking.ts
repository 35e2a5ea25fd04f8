/** Throttle: calls at once, then at most once in `ms`, the last time after the last call. */
export function throttle(call: () => void, ms: number): () => void {
  let isResting = false
  let isWanted = false
  const rest = () => {
    isResting = isWanted
    if (isWanted) run()
  }
  const run = () => {
    isResting = true
    isWanted = false
    setTimeout(rest, ms).unref()
    call()
  }
  return () => {
    if (isResting) isWanted = true
    else run()
  }
}

export interface Worker {
  id: string
  isBusy: boolean
  /** Woken for a job that it has not fetched yet, until this time of performance.now(). */
  awaitedUntil: number
  /** Woken for a second job while it may still have been fetching the first. */
  isWokenAgain: boolean
}
/** Longer than a fetch takes. */
const AWAITED_MS = 150

/** Notifies one idle worker; if none is idle, notifies all. */
export function wakeOne(workers: readonly Worker[], notify: (id: string) => void): void {
  const now = performance.now()
  const idle = workers.find(({ isBusy, awaitedUntil }) => !isBusy && awaitedUntil <= now)
  if (idle) {
    idle.isWokenAgain = idle.awaitedUntil > 0
    idle.awaitedUntil = now + AWAITED_MS
  }
  for (const { id } of idle ? [idle] : workers) notify(id)
}
