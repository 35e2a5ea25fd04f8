import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { readKeyId } from './authenticate.ts'
import type { App, Served } from './runtime.ts'

/** `/orders/{id}` as Fastify writes it. */
export const routePath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * Registers the route of an endpoint of any kind. Refuses API keys unless the endpoint is declared for them. The error
 * handler answers what `answer` throws.
 */
export function register(app: App, served: Served, answer: Answer, options: Partial<RouteOptions> = {}) {
  const { endpoint } = served
  app.served.set(`${endpoint.method} ${endpoint.path}`, served)
  app.http.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    // A synchronous error reaches the error handler as well.
    handler: async (request, reply) => {
      if (!endpoint.byKey && readKeyId(request.headers) !== null) throw new AppError('NOT_FOR_KEYS')
      return answer(request, reply)
    },
    ...options,
  })
}

/** Files and streams: pages do not call them in process. */
export const servedOverHttp = (endpoint: Served['endpoint']): Served => ({
  endpoint,
  handle() {
    throw new Error(`${endpoint.path} is not called in process`)
  },
  trim: null,
})
