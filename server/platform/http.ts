import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'

/** Fastify with the time-outs and refusals that slow, broken and hostile clients call for. */
export function createHttp(config: Config, log: Logger): FastifyInstance {
  const http = Fastify({
    loggerInstance: log,
    disableRequestLogging: true,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: 20_000,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 2_000 },
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    return503OnClosing: false,
  }) as unknown as FastifyInstance // Fastify's logger generic is narrower than pino's own
  http.removeContentTypeParser('text/plain')
  return http
}
