import * as api from '@qatra/contract/simulator/telegram'
import { restrictToLoopback } from '../../../http/guard/loopback-only.ts'
import type { App } from '../../../http/runtime.ts'
import { serve } from '../../../http/serve.ts'
import { AppError } from '../../../lib/errors.ts'
import { changeTopic, writeOnTelegram } from './actions.commands.ts'
import { contextOf, readSimulatedTelegram } from './queries.ts'

/** Endpoints of the simulated Telegram; 404 with a real bot or without a simulator. */
export function telegramSimulatorRoutes(app: App, wake: () => Promise<void>) {
  const { simulator, telegram } = app.config
  if (!simulator || !telegram.isSimulated) return
  const context = contextOf(app)
  restrictToLoopback(app, [api.getSimulatedTelegram.path, api.changeSimulatedTopic.path])
  serve(app, api.getSimulatedTelegram, ({ db, client }, { query }) => {
    // Server-side rendering calls endpoints in this process, without the hook.
    if (client.isForwarded) throw new AppError('NOT_FOUND')
    return readSimulatedTelegram({ ...context, db }, query)
  })
  // The webhook uses its own transaction.
  const withoutTransaction = { transaction: 'none' } as const
  const write = async (body: Parameters<typeof writeOnTelegram>[1]) => {
    await wake()
    return writeOnTelegram(app, body)
  }
  const change = async (id: number, body: Parameters<typeof changeTopic>[2]) => {
    await wake()
    return changeTopic(app, id, body)
  }
  serve(app, api.writeSimulatedTelegram, (_, { body }) => write(body), withoutTransaction)
  serve(app, api.changeSimulatedTopic, (_, { params, body }) => change(params.id, body), withoutTransaction)
}
