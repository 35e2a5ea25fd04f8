export interface Pace {
  firstMs: number
  longestMs: number
}
const usual: Pace = { firstMs: 5_000, longestMs: 60_000 }

export interface Backoff {
  /** How often it failed on end, how long to wait now, and whether that is worth a line: at first and at each doubling. */
  failed: () => { times: number; waitMs: number; isTold: boolean }
  /** Answers how often it had failed before. */
  reached: () => number
}

/** Waits twice as long each time, up to a minute, and never quite as long as others that began at the same moment. */
export function createBackoff({ firstMs, longestMs }: Pace = usual, random = Math.random): Backoff {
  let times = 0
  return {
    failed() {
      const most = Math.min(longestMs, firstMs * 2 ** Math.min(times, 20))
      times += 1
      return { times, waitMs: most * (0.75 + random() / 4), isTold: (times & (times - 1)) === 0 }
    },
    reached() {
      const before = times
      times = 0
      return before
    },
  }
}
