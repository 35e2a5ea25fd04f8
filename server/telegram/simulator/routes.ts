import * as api from '@qatra/contract/simulator-telegram'
import { restrictToLoopback } from '../../http/loopback-only.ts'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import { AppError } from '../../lib/errors.ts'
import { changeTopic, writeOnTelegram } from './acts.commands.ts'
import { readSimulatedTelegram, telegramSimulatorKey } from './queries.ts'

/** The make-believe Telegram's calls, which do not exist where there is a real bot, or no simulator. */
export function telegramSimulatorRoutes(app: App, wake: () => Promise<void>) {
  const { simulator, telegram, secret } = app.config
  if (!simulator || !telegram.isSimulated) return
  const stand = { key: telegramSimulatorKey(secret), groupId: telegram.groupId ?? '' }
  restrictToLoopback(app, [api.getSimulatedTelegram.path, api.changeSimulatedTopic.path])
  serve(app, api.getSimulatedTelegram, ({ db, client }, { query }) => {
    // A page that is rendered here asks in this process, past the hook.
    if (client.isForwarded) throw new AppError('NOT_FOUND')
    return readSimulatedTelegram({ ...stand, db }, query)
  })
  // The webhook stores what it is told in a transaction of its own.
  const alone = { transaction: 'none' } as const
  const write = async (body: Parameters<typeof writeOnTelegram>[1]) => {
    await wake()
    return writeOnTelegram(app, body)
  }
  const change = async (id: number, body: Parameters<typeof changeTopic>[2]) => {
    await wake()
    return changeTopic(app, id, body)
  }
  serve(app, api.writeSimulatedTelegram, (_, { body }) => write(body), alone)
  serve(app, api.changeSimulatedTopic, (_, { params, body }) => change(params.id, body), alone)
}
