import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { currentTracing, type Span } from '../../lib/tracing/tracing.ts'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Pattern for a URL of a catch-all route: `/products/:id`, `(file)`. Never the URL itself. */
    pattern: string | null
    span: Span | null
  }
}

/** The declared route; the URL can contain a sign-in token or personal data. */
export const routeOf = (request: FastifyRequest) => request.pattern ?? request.routeOptions.url ?? '(none)'

/** One log line and one measurement per request. */
export function logRequests(http: FastifyInstance, log: Logger, metrics: Metrics) {
  http.decorateRequest('pattern', null)
  traceRequests(http)
  http.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    if (!request.routeOptions.config.isStream || reply.statusCode !== 200)
      metrics.answered(request.method, route, reply.statusCode, ms)
    log.info({ reqId: request.id, method: request.method, route, status: reply.statusCode, ms }, 'request')
    done()
  })
}

/** A span for each request, if traces are on when the server is built. */
function traceRequests(http: FastifyInstance) {
  const tracing = currentTracing()
  if (tracing === null) return
  http.decorateRequest('span', null)
  http.addHook('onRequest', (request, _, done) => {
    request.span = tracing.open(request.method, 'server')
    if (request.span) request.span.within(done)
    else done()
  })
  // The events of a body come in the context of its connection.
  http.addHook('preValidation', (request, _, done) => {
    if (request.span) request.span.within(done)
    else done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    if (!request.span) return done()
    const route = routeOf(request)
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
    }
    const error = reply.statusCode >= 500 ? { error: String(reply.statusCode) } : {}
    request.span.end({ name: `${request.method} ${route}`, attributes, ...error })
    done()
  })
}
