import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { retryLater } from '../../lib/errors.ts'
import { createRateLimiter } from '../../lib/token-bucket.ts'
import { isApi, pathOf } from './request-guard.ts'

/** A mobile network's prefix has many customers; an order takes about twenty writes. */
const writes = { burst: 600, perMinute: 1_200 }
/** Each can cause a call to a geocoder that allows one per second. */
const geocoding = { burst: 60, perMinute: 120 }

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Limits per network over all endpoints, besides the limits of single commands. */
export function createRequestLimit({ rateLimits }: Pick<Config, 'rateLimits'>) {
  const writing = createRateLimiter({ ...writes, isOn: rateLimits })
  const places = createRateLimiter({ ...geocoding, isOn: rateLimits })

  /** @throws AppError TOO_MANY_REQUESTS */
  return (request: FastifyRequest) => {
    const path = pathOf(request.raw.url ?? '/')
    if (!isApi(path)) return
    // Providers send many requests; unsigned ones are limited by the webhook guard.
    if (path.startsWith('/api/webhooks/')) return
    const limiter = path.startsWith('/api/geocode/') ? places : reading.has(request.method) ? null : writing
    const seconds = limiter?.consume(request.ip) ?? null
    if (seconds !== null) throw retryLater('TOO_MANY_REQUESTS', seconds)
  }
}
