import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimiters } from '../http/guard/rate-limiter.ts'

/** Resolves when a call for the network of `ip` may start. @throws if too many wait, or the deadline ends first */
export type Throttle = (ip: string, deadline: AbortSignal) => Promise<void>

/** Calls that have started or wait within three intervals; further ones would wait too long. */
const MAX_CALLS = 3
/** A network has a few calls at once for one person who types, then a quarter of all calls. */
const NETWORK_BURST = 10
const NETWORK_PART = 4

/** Calls of all processes start at least `intervalMs` apart, and no network can use up all of them. */
export function createThrottle(rateLimiters: RateLimiters, intervalMs: number): Throttle {
  const perMinute = 60_000 / intervalMs
  const ofNetwork = rateLimiters.create('geocoder-network', {
    burst: NETWORK_BURST,
    perMinute: perMinute / NETWORK_PART,
  })
  const ofAll = rateLimiters.create('geocoder', {
    burst: MAX_CALLS,
    perMinute,
    isAlwaysOn: true,
    keyOf: (service) => service,
  })
  return async (ip, deadline) => {
    await ofNetwork.consume(ip)
    const left = await ofAll.consume('all')
    const waitMs = (MAX_CALLS - 1 - left) * intervalMs
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: deadline })
  }
}
