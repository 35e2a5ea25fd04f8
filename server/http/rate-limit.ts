import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { retryLater } from '../lib/errors.ts'
import { createRateLimiter } from '../lib/token-bucket.ts'
import { isApi, pathOf } from './request-guard.ts'

/** Behind one prefix of a mobile network there are many customers; an order takes about twenty writes. */
const writes = { burst: 600, perMinute: 1_200 }
/** Each may cost a call to a geocoder that takes one a second. */
const geocoding = { burst: 60, perMinute: 120 }

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What one network may send in all, beside the limits that single commands have. */
export function createRequestLimit({ rateLimits }: Pick<Config, 'rateLimits'>) {
  const writing = createRateLimiter({ ...writes, isOn: rateLimits })
  const places = createRateLimiter({ ...geocoding, isOn: rateLimits })

  /** @throws AppError TOO_MANY_REQUESTS */
  return (request: FastifyRequest) => {
    const path = pathOf(request.raw.url ?? '/')
    if (!isApi(path)) return
    // Providers call in numbers; what they have not signed is limited where that is known.
    if (path.startsWith('/api/webhooks/')) return
    const limiter = path.startsWith('/api/geocode/') ? places : reading.has(request.method) ? null : writing
    const seconds = limiter?.consume(request.ip) ?? null
    if (seconds !== null) throw retryLater('TOO_MANY_REQUESTS', seconds)
  }
}
