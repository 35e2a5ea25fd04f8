import type { FastifyReply, FastifyRequest } from 'fastify'
import { applyReceipt } from '../../conversations/commands.ts'
import { sendError } from '../../http/error-handler.ts'
import { createWebhookGuard } from '../../http/guard/webhook-guard.ts'
import type { App } from '../../http/runtime.ts'
import { providerSettings } from '../../providers/settings.ts'
import { SMS_RECEIPTS } from '../../providers/sms/receipts.ts'
import { mayBePlain, mayBeTwilio, type Reader, readPlainReceipt, readTwilioReceipt } from './receipts.ts'

const MAX_BYTES = 64 * 1024

function readerOf({ provider, token }: App['config']['sms']): Reader | null {
  if (token === null || provider === 'none') return null
  return provider === 'twilio' ? readTwilioReceipt(token) : readPlainReceipt(token)
}

/** Receipts of SMS: one statement each, safe to repeat. */
export function smsRoutes(app: App) {
  const { sms } = providerSettings(app.config)
  const read = readerOf(sms)
  if (!read) return
  const isPlausible = sms.provider === 'twilio' ? mayBeTwilio : mayBePlain
  const guard = createWebhookGuard(app, { isPlausible })

  async function receiveReceipts(request: FastifyRequest, reply: FastifyReply) {
    try {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const receipts = read?.({ bytes, headers: request.headers, url: `${app.config.publicUrl}${request.url}` })
      if (!receipts) return await guard.refuse(request)
      guard.passed(request)
      for (const receipt of receipts) await applyReceipt(app, receipt)
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  }
  void app.http.register(async (scope) => {
    guard.protect(scope, MAX_BYTES)
    scope.post(SMS_RECEIPTS, { bodyLimit: MAX_BYTES }, receiveReceipts)
  })
}
