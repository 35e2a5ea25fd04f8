import * as api from '@qatra/contract/simulator/simulator'
import { restrictToLoopback } from '../../http/guard/loopback-only.ts'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import { serveFile } from '../../http/serve-file.ts'
import { AppError } from '../../lib/errors.ts'
import { listSimulated, requireSimulatedFile, simulatorKey } from './queries.ts'
import { writeToShop } from './whatsapp-cloud/writing.ts'

/** The simulator's calls, which do not exist while it is off. */
export function simulatorRoutes(app: App) {
  if (!app.config.simulator) return
  const key = simulatorKey(app.config.secret)
  restrictToLoopback(app, [api.listSimulatedMessages.path, api.getSimulatedFile.path])
  serve(app, api.listSimulatedMessages, ({ db, client }, { query }) => {
    // A page that is rendered here asks in this process, past the hook.
    if (client.isForwarded) throw new AppError('NOT_FOUND')
    return listSimulated({ db, key }, query.phone)
  })
  serveFile(app, api.getSimulatedFile, ({ db }, { params }) => requireSimulatedFile({ db, key }, params.id))
  // The webhook stores the message in its own transaction.
  serve(app, api.sendSimulatedMessage, (_, { body }) => writeToShop(app, body), { transaction: 'none' })
}
