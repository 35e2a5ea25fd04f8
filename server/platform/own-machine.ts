import { AppError } from './errors.ts'
import { requireOwnHost } from './origin.ts'
import { refuse } from './refuse.ts'
import { isForwarded } from './request-guard.ts'
import type { App } from './runtime.ts'

/**
 * What is open to this machine alone. What came through a proxy came from somewhere else, and everybody's codes and
 * conversations are none of its business.
 */
export function guardOwnMachine(app: App, paths: readonly string[]) {
  const guarded: ReadonlySet<string | undefined> = new Set(paths.map((path) => path.replace(/\{(\w+)\}/g, ':$1')))
  app.http.addHook('onRequest', async (request, reply) => {
    if (!guarded.has(request.routeOptions.url)) return
    try {
      if (isForwarded(request.headers)) throw new AppError('NOT_FOUND')
      requireOwnHost(app.config, request)
    } catch (error) {
      return refuse(app, request, reply, error)
    }
  })
}
