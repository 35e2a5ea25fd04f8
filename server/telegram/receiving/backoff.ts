export interface BackoffLimits {
  firstMs: number
  longestMs: number
}
const usual: BackoffLimits = { firstMs: 5_000, longestMs: 60_000 }

export interface Backoff {
  /**
   * Number of consecutive failures, the next delay, and whether to log it: at the first failure and at each doubling.
   */
  failed: () => { times: number; waitMs: number; isLogged: boolean }
  /** Resets; returns the number of failures before. */
  reached: () => number
}

/** Exponential backoff with jitter, up to a minute. */
export function createBackoff({ firstMs, longestMs }: BackoffLimits = usual, random = Math.random): Backoff {
  let times = 0
  return {
    failed() {
      const most = Math.min(longestMs, firstMs * 2 ** Math.min(times, 20))
      times += 1
      return { times, waitMs: most * (0.75 + random() / 4), isLogged: (times & (times - 1)) === 0 }
    },
    reached() {
      const before = times
      times = 0
      return before
    },
  }
}
