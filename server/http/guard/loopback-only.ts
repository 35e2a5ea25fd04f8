import { AppError } from '../../lib/errors.ts'
import { routePath } from '../register.ts'
import type { App } from '../runtime.ts'
import { requireOwnHost } from './csrf.ts'
import { isForwarded } from './request-guard.ts'

/**
 * Refuses requests through a proxy and under a foreign Host name, because the simulator shows codes and conversations of
 * everybody. The connection is not checked: without ALLOW_SIMULATOR the process listens on loopback only, and with it
 * the simulator is open to everybody who reaches the port.
 */
export function restrictToLoopback(app: App, paths: readonly string[]) {
  const guarded: ReadonlySet<string | undefined> = new Set(paths.map(routePath))
  app.http.addHook('onRequest', async (request) => {
    if (!guarded.has(request.routeOptions.url)) return
    if (isForwarded(request.headers)) throw new AppError('NOT_FOUND')
    requireOwnHost(app.config, request)
  })
}
