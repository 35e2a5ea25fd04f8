import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../lib/errors.ts'
import { sendError } from '../error-handler.ts'
import { securityHeaders } from '../guard/security-headers.ts'
import type { ResponseCache } from '../pages/response-cache.ts'
import { disconnectSlowReaders } from './slow-readers.ts'

const REQUEST_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 65_000
const IDLE_SOCKET_TIMEOUT_MS = 12_000

/** Fastify with time-outs and limits against slow, broken and hostile clients. */
export function createServer(config: Config, log: Logger, responseCache: ResponseCache): FastifyInstance {
  const http = Fastify({
    // Fastify sets no time-outs on a server that it did not create.
    serverFactory: (application) => {
      const server = createHttpServer(
        {
          headersTimeout: 8_000,
          connectionsCheckingInterval: 2_000,
          requestTimeout: REQUEST_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
        },
        responseCache.before(application),
      )
      closeIdleConnections(server, IDLE_SOCKET_TIMEOUT_MS)
      disconnectSlowReaders(server)
      return server
    },
    loggerInstance: log as FastifyBaseLogger, // the instance's type names the logger's
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name the request by id, which avoids a child logger per request.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    return503OnClosing: false,
    // Errors before routing; hooks do not run for them.
    frameworkErrors: (_, request, reply) => {
      reply.headers(securityHeaders(config).api)
      sendError({ log }, request, reply, new AppError('BAD_REQUEST'))
    },
    clientErrorHandler: rejectConnection,
  })
  http.removeContentTypeParser('text/plain')
  http.addHook('preClose', (done) => {
    responseCache.stop()
    done()
  })
  return http
}

const unreadable = JSON.stringify(new AppError('BAD_REQUEST').toRefusal())

/** Answers invalid, slow and oversized requests with a status and closes the connection. */
function rejectConnection(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${unreadable.length}`,
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${unreadable}`)
  socket.destroy(error)
}

/**
 * Closes a connection whose request or response makes no progress for `idleMs`. A complete request that is still being
 * worked on, such as a bulk change on a busy machine, keeps its connection.
 */
export function closeIdleConnections(server: Server, idleMs: number) {
  const oldest = new WeakMap<Socket, ServerResponse>()
  server.timeout = idleMs
  server.on('request', ({ socket }, response) => {
    // Of pipelined requests the first decides: its response may be what is not read.
    if (oldest.get(socket)?.writableFinished ?? true) oldest.set(socket, response)
  })
  server.on('timeout', (socket) => {
    const response = oldest.get(socket)
    const isWorking = response !== undefined && response.req.complete && !response.headersSent
    if (!isWorking) socket.destroy()
  })
}
