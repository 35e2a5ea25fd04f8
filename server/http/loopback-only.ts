import { AppError } from '../lib/errors.ts'
import { requireOwnHost } from './csrf.ts'
import { sendError } from './error-handler.ts'
import { isForwarded } from './request-guard.ts'
import type { App } from './runtime.ts'

/**
 * What is open to this machine alone. What came through a proxy came from somewhere else, and everybody's codes and
 * conversations are none of its business.
 */
export function restrictToLoopback(app: App, paths: readonly string[]) {
  const guarded: ReadonlySet<string | undefined> = new Set(paths.map((path) => path.replace(/\{(\w+)\}/g, ':$1')))
  app.http.addHook('onRequest', async (request, reply) => {
    if (!guarded.has(request.routeOptions.url)) return
    try {
      if (isForwarded(request.headers)) throw new AppError('NOT_FOUND')
      requireOwnHost(app.config, request)
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  })
}
