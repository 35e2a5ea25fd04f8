import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import type { App } from '../runtime.ts'
import { requireSameOrigin } from './csrf.ts'
import { createNetworkLimit } from './network-limit.ts'
import { isApi, pathOf } from './request-guard.ts'

/** A mobile network's prefix has many customers; an order takes about twenty writes. */
const writes = { burst: 600, perMinute: 1_200 }
/** Each can cause a call to a geocoder that allows one per second. */
const geocoding = { burst: 60, perMinute: 120 }

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Limits per network over all endpoints, besides the limits of single commands. Requests of other sites are refused
 * before they count, so that a foreign page cannot spend the budget of its visitor's network.
 */
export function createRequestLimit(app: App) {
  const limitWrite = createNetworkLimit(app, 'writes', writes)
  const limitGeocoding = createNetworkLimit(app, 'geocoding', geocoding)

  /** Null if the request is not limited. @throws AppError TOO_MANY_REQUESTS, CROSS_ORIGIN */
  return (request: FastifyRequest): Promise<void> | null => {
    const path = pathOf(request.raw.url ?? '/')
    if (!isApi(path)) return null
    // Providers send many requests; unsigned ones are limited by the webhook guard.
    if (path.startsWith('/api/webhooks/')) return null
    if (path.startsWith('/api/geocode/')) {
      if (request.headers['sec-fetch-site'] === 'cross-site') throw new AppError('CROSS_ORIGIN')
      return limitGeocoding(request)
    }
    if (reading.has(request.method)) return null
    requireSameOrigin(app.config, request)
    return limitWrite(request)
  }
}
