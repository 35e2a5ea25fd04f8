import { AppError } from '../../lib/errors.ts'
import { routePath } from '../register.ts'
import type { App } from '../runtime.ts'
import { requireOwnHost } from './csrf.ts'
import { isForwarded } from './request-guard.ts'

/**
 * Restricts paths to this machine. Requests through a proxy come from elsewhere, and the simulator shows codes and
 * conversations of everybody.
 */
export function restrictToLoopback(app: App, paths: readonly string[]) {
  const guarded: ReadonlySet<string | undefined> = new Set(paths.map(routePath))
  app.http.addHook('onRequest', async (request) => {
    if (!guarded.has(request.routeOptions.url)) return
    if (isForwarded(request.headers)) throw new AppError('NOT_FOUND')
    requireOwnHost(app.config, request)
  })
}
