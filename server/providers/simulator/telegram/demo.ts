import { runJobTransaction } from '../../../database/transaction.ts'
import type { App } from '../../../http/runtime.ts'
import { SIMULATED_BOT_NAME } from '../../settings.ts'
import { fetchFrom, type SimulatedFetch } from '../provider-http.ts'
import { createBotApi } from './bot-api.ts'
import { telegramStore } from './commands.ts'
import { contextOf } from './queries.ts'

/** Answers calls to the Bot API from rows of the database, which all processes share. */
export function simulatedTelegramFetch(app: App): SimulatedFetch {
  const api = createBotApi({
    token: app.config.telegram.token ?? '',
    botName: SIMULATED_BOT_NAME,
    run: (work) => runJobTransaction(app.pool, ({ db }) => work(telegramStore({ ...contextOf(app), db }))),
  })
  return fetchFrom(() => api)
}
