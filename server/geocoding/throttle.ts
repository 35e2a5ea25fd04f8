import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimiters } from '../http/guard/rate-limiter.ts'

/** Resolves when a call may start. @throws if too many wait, or the deadline ends first */
export type Throttle = (deadline: AbortSignal) => Promise<void>

/** Calls that have started or wait within three intervals; further ones would wait too long. */
const MAX_CALLS = 3

/** Calls of all processes start at least `intervalMs` apart. */
export function createThrottle(rateLimiters: RateLimiters, intervalMs: number): Throttle {
  const limit = { burst: MAX_CALLS, perMinute: 60_000 / intervalMs, isAlwaysOn: true }
  const limiter = rateLimiters.create('geocoder', { ...limit, keyOf: (service) => service })
  return async (deadline) => {
    const left = await limiter.consume('all')
    const waitMs = (MAX_CALLS - 1 - left) * intervalMs
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: deadline })
  }
}
