import type { FastifyRequest } from 'fastify'
import type { RateLimiters } from './rate-limiter.ts'
import { isApi, pathOf } from './request-guard.ts'

/** A mobile network's prefix has many customers; an order takes about twenty writes. */
const writes = { burst: 600, perMinute: 1_200 }
/** Each can cause a call to a geocoder that allows one per second. */
const geocoding = { burst: 60, perMinute: 120 }

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Limits per network over all endpoints, besides the limits of single commands. */
export function createRequestLimit(rateLimiters: RateLimiters) {
  const writing = rateLimiters.create('writes', writes)
  const places = rateLimiters.create('geocoding', geocoding)

  /** Null if the request is not limited. @throws AppError TOO_MANY_REQUESTS */
  return (request: FastifyRequest): Promise<unknown> | null => {
    const path = pathOf(request.raw.url ?? '/')
    if (!isApi(path)) return null
    // Providers send many requests; unsigned ones are limited by the webhook guard.
    if (path.startsWith('/api/webhooks/')) return null
    if (path.startsWith('/api/geocode/')) return places.consume(request.ip)
    return reading.has(request.method) ? null : writing.consume(request.ip)
  }
}
