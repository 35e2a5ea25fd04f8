import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a catch-all route made of the address: `/products/:id`, `(file)`. Never the address itself. */
    pattern: string | null
  }
}

/** The route as it was declared; an address may hold a sign-in token or whatever somebody typed. */
export const routeOf = (request: FastifyRequest) => request.pattern ?? request.routeOptions.url ?? '(none)'

/** One line and one measurement for each request that reaches the application. */
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
