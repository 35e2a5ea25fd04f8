import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { readKeyId } from '../authenticate.ts'
import { sendError } from '../error-handler.ts'
import { requireSameOrigin } from '../guard/csrf.ts'
import { createKeyLimit, createNetworkLimit } from '../guard/network-limit.ts'
import { isApi, pathOf, validateRequest } from '../guard/request-guard.ts'
import { isSecretPath } from '../guard/security-headers.ts'
import { monitoringPaths } from '../monitoring/health.routes.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { logRequests } from '../monitoring/request-log.ts'
import type { App } from '../runtime.ts'
import { compressReply } from '../pages/compression.ts'
import { readApiLang } from '../session-cookie.ts'
import { readJson } from './json-body.ts'

/** JSON, also that of boundaries, which has a type of its own. */
const isJson = (contentType: string) => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  return (
    /^application\/(?:geo\+)?json\s*(?:;|$)/i.test(contentType) && (charset === undefined || /^utf-?8$/i.test(charset))
  )
}

/** Hooks before every route and on every response. Must be registered before the routes. */
export function registerHooks(app: App, metrics: Metrics, stopping: AbortSignal) {
  const { config, http, headers } = app
  const limitRequest = createRequestLimit(app)
  logRequests(http, app.log, metrics)

  http.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.raw.url ?? '/')
    reply.headers(isApi(path) ? headers.api : headers.page)
    if (isSecretPath(path)) reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
    const refuse = (error: unknown) => void sendError(app, request, reply, error)
    const enter = async (limited: Promise<void>) => {
      try {
        await limited
      } catch (error) {
        return refuse(error)
      }
      done()
    }
    try {
      // Requests from the process itself have no socket: the simulators call the webhooks.
      const isFromOutside = request.raw.socket instanceof Socket
      if (config.role === 'worker' && isFromOutside && !monitoringPaths.has(path)) throw new AppError('NOT_FOUND')
      validateRequest(request)
      const limited = limitRequest(request)
      if (limited) void enter(limited)
      else done()
    } catch (error) {
      refuse(error)
    }
  })

  // A keep-alive connection would delay a stopping process, also for a request before the signal.
  http.addHook('onSend', (_, reply, payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
  http.addHook('onSend', compressReply)

  http.removeAllContentTypeParsers()
  // An empty body is no body, whatever its type: HTTP libraries set a type on calls without one too.
  http.addContentTypeParser<Buffer>(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (bytes.length > 0 && !isJson(request.headers['content-type'] ?? ''))
        throw new AppError('UNSUPPORTED_MEDIA_TYPE')
      done(null, bytes.length > 0 ? readJson(bytes, readApiLang(request.headers)) : undefined)
    } catch (error) {
      done(error as Error) // only AppErrors leave the lines above
    }
  })

  http.setErrorHandler((error, request, reply) => sendError(app, request, reply, error))
  const methods = watchRoutes(app)
  http.setNotFoundHandler((request, reply) => {
    const offered = methods(pathOf(request.raw.url ?? '/'))
    if (offered.length === 0) return sendError(app, request, reply, new AppError('NOT_FOUND'))
    reply.header('allow', offered.join(', '))
    return sendError(app, request, reply, new AppError('METHOD_NOT_ALLOWED'))
  })
}

/** The methods that a URL allows; empty for an unknown URL. */
function watchRoutes({ http }: App): (path: string) => string[] {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  http.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replace(/[.+?^$()[\]\\]/g, '\\$&')
        .replace(/:\w+/g, '[^/]+')
        .replace(/\*$/, '.*')}$`,
    )
    const route = known.get(url) ?? { pattern, methods: new Set<string>() }
    for (const one of [method].flat()) route.methods.add(one)
    known.set(url, route)
  })
  return (path) => {
    const found = [...known.entries()].filter(([url, { pattern }]) => !url.endsWith('*') && pattern.test(path))
    return [...new Set(found.flatMap(([, { methods }]) => [...methods]))].sort()
  }
}

/** A mobile network's prefix has many customers; an order takes about twenty writes. */
const writes = { burst: 600, perMinute: 1_200 }
/** Each can cause a call to a geocoder that allows one per second. */
const geocoding = { burst: 60, perMinute: 120 }

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Limits per network over all endpoints, besides the limits of single commands. Requests of other sites are refused
 * before they count, so that a foreign page cannot spend the budget of its visitor's network.
 */
function createRequestLimit(app: App) {
  const limitWrite = createNetworkLimit(app, 'writes', writes)
  const limitGeocoding = createNetworkLimit(app, 'geocoding', geocoding)
  const limitKey = createKeyLimit(app)

  /** Null if the request is not limited. @throws AppError TOO_MANY_REQUESTS, CROSS_ORIGIN */
  return (request: FastifyRequest): Promise<void> | null => {
    const path = pathOf(request.raw.url ?? '/')
    if (!isApi(path)) return null
    // Providers send many requests; unsigned ones are limited by the webhook guard.
    if (path.startsWith('/api/webhooks/')) return null
    const keyId = readKeyId(request.headers)
    if (keyId !== null) return limitKey(keyId, request.ip)
    if (path.startsWith('/api/geocode/')) {
      if (request.headers['sec-fetch-site'] === 'cross-site') throw new AppError('CROSS_ORIGIN')
      return limitGeocoding(request)
    }
    if (reading.has(request.method)) return null
    requireSameOrigin(app.config, request)
    return limitWrite(request)
  }
}
