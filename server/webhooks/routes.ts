import * as api from '@qatra/contract/whatsapp/connection/webhooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { applyReceipt } from '../conversations/commands.ts'
import { sendError } from '../http/error-handler.ts'
import { receiveWebhooks } from '../http/guard/webhook-guard.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { AppError } from '../lib/errors.ts'
import { isSameSecret } from '../lib/secrets.ts'
import { providerSettings } from '../providers/settings.ts'
import { SMS_RECEIPTS } from '../providers/sms/receipts.ts'
import { isSigned, mayBeSignature } from '../providers/whatsapp-cloud/signature.ts'
import { replayEvent, storeCall } from './commands.ts'
import { listEvents, WEBHOOK_PATH } from './queries.ts'
import { mayBePlain, mayBeTwilio, readPlainReceipt, readTwilioReceipt } from './sms-receipts.ts'

const SIGNATURE = 'x-hub-signature-256'

export function webhookRoutes(app: App) {
  serve(app, api.listWebhookEvents, ({ db }, { query }) => listEvents(db, query))
  serve(app, api.replayWebhookEvent, (ctx, { params }) => replayEvent(ctx, params.id))
  const present = () => providerSettings(app.config).whatsapp

  /** Answers the provider's verification request if the token matches. */
  function verifyWebhook(request: FastifyRequest<{ Querystring: Record<string, string> }>, reply: FastifyReply) {
    const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = request.query
    const { verifyToken } = present()
    const isRight = verifyToken !== null && isSameSecret(token, verifyToken)
    if (mode !== 'subscribe' || !isRight) return sendError(app, request, reply, new AppError('FORBIDDEN'))
    // Returned as plain text so that no browser renders it as a page.
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(challenge.slice(0, 500))
  }
  app.http.get(WEBHOOK_PATH, verifyWebhook)

  async function store(bytes: Buffer) {
    const effects: (() => void)[] = []
    await storeCall({ db: app.db, afterCommit: (effect) => void effects.push(effect) }, bytes)
    for (const effect of effects) effect()
  }
  receiveWebhooks(app, {
    path: WEBHOOK_PATH,
    maxBytes: 1024 * 1024,
    isPlausible: (headers) => present().appSecret !== null && mayBeSignature(headers[SIGNATURE]),
    read({ bytes, headers }) {
      const { appSecret: secret } = present()
      return secret !== null && isSigned(secret, bytes, headers[SIGNATURE]) ? () => store(bytes) : null
    },
  })
  smsReceipts(app)
}

function smsReceipts(app: App) {
  const { provider, token } = providerSettings(app.config).sms
  if (token === null || provider === 'none') return
  const isTwilio = provider === 'twilio'
  const readReceipts = isTwilio ? readTwilioReceipt(token) : readPlainReceipt(token)
  receiveWebhooks(app, {
    path: SMS_RECEIPTS,
    maxBytes: 64 * 1024,
    isPlausible: isTwilio ? mayBeTwilio : mayBePlain,
    read(call) {
      const receipts = readReceipts(call)
      if (!receipts) return receipts
      // One statement each, safe to repeat.
      return async () => {
        for (const receipt of receipts) await applyReceipt(app, receipt)
      }
    },
  })
}
