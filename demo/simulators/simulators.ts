import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { runJobTransaction } from '../../server/database/transaction.ts'
import { requireOwnHost } from '../../server/http/guard/csrf.ts'
import { isForwarded } from '../../server/http/guard/request-guard.ts'
import { routePath } from '../../server/http/register.ts'
import type { App, SimulatedNetwork } from '../../server/http/runtime.ts'
import { serve } from '../../server/http/serve.ts'
import { serveFile } from '../../server/http/serve-file.ts'
import { AppError } from '../../server/lib/errors.ts'
import { providerSettings, SIMULATED_BOT_NAME } from '../../server/providers/settings.ts'
import * as api from '../contract/simulator.ts'
import * as telegramApi from '../contract/telegram.ts'
import { storeOutgoing } from './commands.ts'
import { fetchFrom } from './provider-http.ts'
import { listSimulated, requireSimulatedFile, simulatorKey } from './queries.ts'
import { createSmsApi, smsReceiptCall } from './sms/sms-api.ts'
import { changeTopic, writeOnTelegram } from './telegram/actions.commands.ts'
import { createBotApi } from './telegram/bot-api.ts'
import { telegramStore } from './telegram/commands.ts'
import { contextOf, readSimulatedTelegram } from './telegram/queries.ts'
import { createGraphApi } from './whatsapp-cloud/graph-api.ts'
import { phonesOf } from './whatsapp-cloud/phones.ts'
import { writeToShop } from './whatsapp-cloud/writing.ts'

const DELIVERED_MS = 250

/** The endpoints of the simulated phones, which exist only while the simulator runs. */
export const simulatorEndpoints: readonly AnyEndpoint[] = [
  api.listSimulatedMessages,
  api.getSimulatedFile,
  api.sendSimulatedMessage,
  telegramApi.getSimulatedTelegram,
  telegramApi.writeSimulatedTelegram,
  telegramApi.changeSimulatedTopic,
]

/** Answers the calls to all providers within the process, so that none leaves the machine. */
export const simulatedNetwork = (app: App): SimulatedNetwork => ({
  messaging: simulatedMessaging(app),
  ...(app.config.telegram.isSimulated ? { telegram: simulatedTelegram(app) } : {}),
})

function simulatedMessaging(app: App) {
  const { whatsapp, sms } = providerSettings(app.config)
  const later = createTimers(app)
  const graphApi = createGraphApi(phonesOf(app, later))
  const smsApi = createSmsApi({
    token: sms.token,
    async accept({ id, to, text, reference }) {
      await storeOutgoing(app, { id: `sms.${id}`, phone: to, channel: 'sms', body: text })
      // Such phones confirm nothing, as on WhatsApp.
      if (to.endsWith('9991')) return
      const call = smsReceiptCall(sms, app.config.publicUrl, { id, reference, status: 'delivered' })
      later(() => app.http.inject({ method: 'POST', ...call }), DELIVERED_MS)
    },
  })
  return fetchFrom((url) => (url.startsWith(whatsapp.graphUrl) ? graphApi : smsApi))
}

/** Answers calls to the Bot API from rows of the database, which all processes share. */
function simulatedTelegram(app: App) {
  const api = createBotApi({
    token: app.config.telegram.token ?? '',
    botName: SIMULATED_BOT_NAME,
    run: (work) => runJobTransaction(app.pool, ({ db }) => work(telegramStore({ ...contextOf(app), db }))),
  })
  return fetchFrom(() => api)
}

/** Delays work until the process stops. */
function createTimers(app: App) {
  const pending = new Set<NodeJS.Timeout>()
  app.http.addHook('onClose', async () => {
    for (const timer of pending) clearTimeout(timer)
  })
  return (work: () => Promise<unknown>, ms: number) => {
    const timer = setTimeout(() => {
      pending.delete(timer)
      work().catch((error: unknown) => app.log.warn({ err: error }, 'the simulated network failed'))
    }, ms)
    pending.add(timer)
  }
}

// The webhooks store what arrives in their own transactions.
const withoutTransaction = { transaction: 'none' } as const

/** The endpoints of the simulated phones; those of Telegram do not exist with a real bot. `wake` activates the bot. */
export function simulatorRoutes(app: App, wake: () => Promise<void>) {
  const key = simulatorKey(app.config.secret)
  restrictToLoopback(app, [api.listSimulatedMessages.path, api.getSimulatedFile.path])
  serve(app, api.listSimulatedMessages, ({ db, client }, { query }) => {
    // A page that is rendered here asks in this process, past the hook.
    if (client.isForwarded) throw new AppError('NOT_FOUND')
    return listSimulated({ db, key }, query.phone)
  })
  serveFile(app, api.getSimulatedFile, ({ db }, { params }) => requireSimulatedFile({ db, key }, params.id))
  serve(app, api.sendSimulatedMessage, (_, { body }) => writeToShop(app, body), withoutTransaction)
  if (app.config.telegram.isSimulated) telegramRoutes(app, wake)
}

function telegramRoutes(app: App, wake: () => Promise<void>) {
  const context = contextOf(app)
  restrictToLoopback(app, [telegramApi.getSimulatedTelegram.path, telegramApi.changeSimulatedTopic.path])
  serve(app, telegramApi.getSimulatedTelegram, ({ db, client }, { query }) => {
    if (client.isForwarded) throw new AppError('NOT_FOUND')
    return readSimulatedTelegram({ ...context, db }, query)
  })
  const write = async (body: Parameters<typeof writeOnTelegram>[1]) => {
    await wake()
    return writeOnTelegram(app, body)
  }
  const change = async (id: number, body: Parameters<typeof changeTopic>[2]) => {
    await wake()
    return changeTopic(app, id, body)
  }
  serve(app, telegramApi.writeSimulatedTelegram, (_, { body }) => write(body), withoutTransaction)
  serve(app, telegramApi.changeSimulatedTopic, (_, { params, body }) => change(params.id, body), withoutTransaction)
}

/**
 * Refuses requests through a proxy and under a foreign Host name, because the simulator shows codes and conversations of
 * everybody. The connection is not checked: without ALLOW_SIMULATOR the process listens on loopback only, and with it
 * the simulator is open to everybody who reaches the port.
 */
function restrictToLoopback(app: App, paths: readonly string[]) {
  const guarded: ReadonlySet<string | undefined> = new Set(paths.map(routePath))
  app.http.addHook('onRequest', async (request) => {
    if (!guarded.has(request.routeOptions.url)) return
    if (isForwarded(request.headers)) throw new AppError('NOT_FOUND')
    requireOwnHost(app.config, request)
  })
}
