import type { IncomingHttpHeaders } from 'node:http'
import * as api from '@qatra/contract/simulator'
import { AppError } from '../platform/errors.ts'
import { refuse } from '../platform/refuse.ts'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { receiveSimulated } from './commands.ts'
import { listSimulated, simulatorKey } from './queries.ts'

/** A request that came through a proxy came from somewhere else, and everybody's codes are none of its business. */
export const isForwarded = (headers: IncomingHttpHeaders) =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))

/** The simulator's calls, which do not exist while it is off. */
export function channelRoutes(app: App) {
  if (!app.config.simulator) return
  const key = simulatorKey(app.config.secret)
  app.http.addHook('onRequest', async (request, reply) => {
    const isSimulators = request.routeOptions.url === api.listSimulatedMessages.path
    if (isSimulators && isForwarded(request.headers)) return refuse(app, request, reply, new AppError('NOT_FOUND'))
  })
  serve(app, api.listSimulatedMessages, ({ db }, { query }) => listSimulated({ db, key }, query.phone))
  serve(app, api.sendSimulatedMessage, (ctx, { body }) => receiveSimulated(ctx, key, body))
}
