import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Pattern for a URL of a catch-all route: `/products/:id`, `(file)`. Never the URL itself. */
    pattern: string | null
  }
}

/** The declared route; the URL can contain a sign-in token or personal data. */
export const routeOf = (request: FastifyRequest) => request.pattern ?? request.routeOptions.url ?? '(none)'

/** One log line and one measurement per request. */
export function logRequests(http: FastifyInstance, log: Logger, metrics: Metrics) {
  http.decorateRequest('pattern', null)
  http.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    if (!request.routeOptions.config.isStream || reply.statusCode !== 200)
      metrics.answered(request.method, route, reply.statusCode, ms)
    log.info({ reqId: request.id, method: request.method, route, status: reply.statusCode, ms }, 'request')
    done()
  })
}
