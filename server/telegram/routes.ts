import * as api from '@qatra/contract/telegram'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runJobTransaction } from '../database/transaction.ts'
import { sendError } from '../http/error-handler.ts'
import { createWebhookGuard } from '../http/guard/webhook-guard.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { isSameSecret } from '../lib/secrets.ts'
import { makeLinkCode, unlink } from './linking/link.commands.ts'
import { factsOf, readStatus } from './queries.ts'
import { storeUpdate } from './receiving/updates.commands.ts'
import { TELEGRAM_WEBHOOK } from './receiving/webhook.ts'

const MAX_BYTES = 1024 * 1024

/** `wake`: activates the simulated bot before its first use. */
export function telegramRoutes(app: App, wake: () => Promise<void>) {
  serve(app, api.getTelegram, (ctx) => readStatus(ctx, factsOf(app)))
  const { publicUrl } = app.config
  serve(app, api.linkTelegram, (ctx) => makeLinkCode(ctx, factsOf(app), publicUrl), { renew: wake })
  serve(app, api.unlinkTelegram, (ctx) => unlink(ctx, factsOf(app)))
  const { token, webhookSecret } = app.config.telegram
  if (token === null || webhookSecret === null) return
  const secret = webhookSecret
  // The secret is a header, so it is checked before the body is read.
  const guard = createWebhookGuard(app, {
    isPlausible: ({ 'x-telegram-bot-api-secret-token': given }) =>
      typeof given === 'string' && isSameSecret(given, secret),
  })

  async function receiveUpdate(request: FastifyRequest, reply: FastifyReply) {
    try {
      guard.passed(request)
      const update = parsed(request.body)
      // Telegram repeats updates that are not answered with 200, so unreadable ones are accepted and ignored.
      if (update !== undefined) await runJobTransaction(app.pool, (ctx) => storeUpdate(ctx, update))
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  }
  // Own scope, so that the secret is checked before the body is parsed.
  void app.http.register(async (scope) => {
    guard.protect(scope, MAX_BYTES)
    scope.post(TELEGRAM_WEBHOOK, { bodyLimit: MAX_BYTES }, receiveUpdate)
  })
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  } catch {
    return undefined
  }
}
