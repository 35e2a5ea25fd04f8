import * as api from '@qatra/contract/whatsapp/connection/webhooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../http/error-handler.ts'
import { createWebhookGuard } from '../http/guard/webhook-guard.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { AppError } from '../lib/errors.ts'
import { isSameSecret } from '../lib/secrets.ts'
import { providerSettings } from '../providers/settings.ts'
import { isSigned, mayBeSignature } from '../providers/whatsapp-cloud/signature.ts'
import { replayEvent, storeCall } from './commands.ts'
import { listEvents, WEBHOOK_PATH } from './queries.ts'

const MAX_BYTES = 1024 * 1024
const SIGNATURE = 'x-hub-signature-256'

export function webhookRoutes(app: App) {
  serve(app, api.listWebhookEvents, ({ db }, { query }) => listEvents(db, query))
  serve(app, api.replayWebhookEvent, (ctx, { params }) => replayEvent(ctx, params.id))
  const { verifyToken, appSecret: secret } = providerSettings(app.config).whatsapp
  const guard = createWebhookGuard(app, {
    isPlausible: (headers) => secret !== null && mayBeSignature(headers[SIGNATURE]),
  })

  /** Answers the provider's verification request if the token matches. */
  function verifyWebhook(request: FastifyRequest<{ Querystring: Record<string, string> }>, reply: FastifyReply) {
    const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = request.query
    const isRight = verifyToken !== null && isSameSecret(token, verifyToken)
    if (mode !== 'subscribe' || !isRight) return sendError(app, request, reply, new AppError('FORBIDDEN'))
    // Returned as plain text so that no browser renders it as a page.
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(challenge.slice(0, 500))
  }

  async function receiveCall(request: FastifyRequest, reply: FastifyReply) {
    try {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (secret === null || !isSigned(secret, bytes, request.headers[SIGNATURE])) return await guard.refuse(request)
      guard.passed(request)
      const effects: (() => void)[] = []
      await storeCall({ db: app.db, afterCommit: (effect) => void effects.push(effect) }, bytes)
      for (const effect of effects) effect()
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  }

  void app.http.register(async (scope) => {
    guard.protect(scope, MAX_BYTES)
    scope.get(WEBHOOK_PATH, verifyWebhook)
    scope.post(WEBHOOK_PATH, { bodyLimit: MAX_BYTES }, receiveCall)
  })
}
