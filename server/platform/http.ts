import { createServer } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Prepared } from './prepared.ts'

const REQUEST_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 65_000

/** Fastify with the time-outs and refusals that slow, broken and hostile clients call for. */
export function createHttp(config: Config, log: Logger, prepared: Prepared): FastifyInstance {
  const http = Fastify({
    // Fastify sets no time-outs on a server that it did not make.
    serverFactory: (application) =>
      createServer(
        {
          headersTimeout: 8_000,
          connectionsCheckingInterval: 2_000,
          requestTimeout: REQUEST_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
        },
        prepared.before(application),
      ),
    loggerInstance: log,
    disableRequestLogging: true,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    return503OnClosing: false,
  }) as unknown as FastifyInstance // Fastify's logger generic is narrower than pino's own
  http.removeContentTypeParser('text/plain')
  http.addHook('preClose', (done) => {
    prepared.stop()
    done()
  })
  return http
}
