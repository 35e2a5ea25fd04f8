import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config/values.ts'
import { AppError } from '../../lib/errors.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import { requireOwnHost } from '../guard/csrf.ts'
import { isForwarded } from '../guard/request-guard.ts'
import type { App } from '../runtime.ts'
import { type Metrics, version } from './metrics.ts'

/** The request came from this machine, without a proxy. */
export const isFromHere = (request: FastifyRequest) =>
  isLoopback(request.raw.socket.remoteAddress ?? '') && !isForwarded(request.headers)

function mayReadMetrics(app: App, request: FastifyRequest) {
  const { metricsToken } = app.config
  const given = request.headers.authorization
  if (metricsToken !== null && given?.startsWith('Bearer ')) return isSameSecret(given.slice(7), metricsToken)
  requireOwnHost(app.config, request)
  return isFromHere(request)
}

export const monitoringPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Liveness, readiness, metrics. `stopping` aborts when shutdown begins. */
export function healthRoutes(app: App, metrics: Metrics, stopping: AbortSignal) {
  const { role } = app.config
  app.http.get('/healthz', (_, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', role, version }),
  )

  /** Migrations run before the server listens, so readiness depends on the database; that of a worker on its jobs too. */
  async function readiness() {
    if (stopping.aborted) return 'stopping'
    const isReached = await app.pool.query('select 1').then(
      () => true,
      () => false,
    )
    if (!isReached) return 'no database'
    return role === 'worker' && !app.queue.isPolling() ? 'no jobs' : 'ok'
  }
  app.http.get('/readyz', async (_, reply) => {
    const status = await readiness()
    return reply
      .header('cache-control', 'no-store')
      .code(status === 'ok' ? 200 : 503)
      .send({ status, role })
  })

  app.http.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(app, request)) throw new AppError('FORBIDDEN')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}
