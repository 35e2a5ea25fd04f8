import * as api from '@qatra/contract/telegram'
import { runJobTransaction } from '../database/transaction.ts'
import { receiveWebhooks } from '../http/guard/webhook-guard.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { isSameSecret } from '../lib/secrets.ts'
import { makeLinkCode, unlink } from './linking/link.commands.ts'
import { factsOf, readStatus } from './queries.ts'
import { storeUpdate } from './receiving/updates.commands.ts'
import { TELEGRAM_WEBHOOK } from './receiving/webhook.ts'

/** `wake`: activates the simulated bot before its first use. */
export function telegramRoutes(app: App, wake: () => Promise<void>) {
  serve(app, api.getTelegram, (ctx) => readStatus(ctx, factsOf(app)))
  const { publicUrl } = app.config
  serve(app, api.linkTelegram, (ctx) => makeLinkCode(ctx, factsOf(app), publicUrl), { renew: wake })
  serve(app, api.unlinkTelegram, (ctx) => unlink(ctx, factsOf(app)))
  const { token, webhookSecret } = app.config.telegram
  if (token === null || webhookSecret === null) return
  const secret = webhookSecret
  receiveWebhooks(app, {
    path: TELEGRAM_WEBHOOK,
    maxBytes: 1024 * 1024,
    // The secret is a header, so it is checked before the body is read.
    isPlausible: ({ 'x-telegram-bot-api-secret-token': given }) =>
      typeof given === 'string' && isSameSecret(given, secret),
    read: ({ bytes }) => {
      const update = parsed(bytes)
      // Telegram repeats updates that are not answered with 200, so unreadable ones are accepted and ignored.
      return async () => {
        if (update !== undefined) await runJobTransaction(app.pool, (ctx) => storeUpdate(ctx, update))
      }
    },
  })
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
