import * as z from 'zod/mini'
import type { WhatsappConfig } from '../../config/messaging.ts'
import { type CodeGateway, failed, type MessageGateway, type Outcome } from '../provider.ts'
import type { CallOptions } from '../provider-http.gateway.ts'
import { policyOf } from './error-policy.ts'
import { callGraph, type GraphAnswer } from './graph.gateway.ts'
import { fetchMedia, uploadMedia } from './media.ts'
import { codeBody, messageBody } from './payload.ts'

const accepted = z.object({
  messages: z.array(z.object({ id: z.string().check(z.minLength(1)) })).check(z.minLength(1)),
})
const TIMEOUT_MS = 8_000

/**
 * Gateway of Meta's Cloud API: messages, codes by an authentication template, and read receipts. The settings are read
 * for each call, since a new token replaces the old one at any time.
 */
export function cloudGateway(
  settings: () => WhatsappConfig,
  { timeoutMs = TIMEOUT_MS, fetch, publicUrl }: CallOptions & { publicUrl?: string } = {},
): { messages: MessageGateway; codes: CodeGateway } {
  const call = (body: object) => {
    const config = settings()
    return callGraph(config, { method: 'POST', path: `${config.phoneNumberId}/messages`, body }, { timeoutMs, fetch })
  }
  const post = async (body: object): Promise<Outcome> => {
    if (settings().token === null) return notConfigured
    const answer = await call(body)
    return 'ok' in answer ? answer : outcomeOf(answer)
  }
  return {
    codes: { send: (outbound) => post(codeBody(outbound, settings().codeTemplate)) },
    messages: {
      hasWindow: true,
      async send(outbound) {
        const { file } = outbound
        if (!file) return post(messageBody(outbound, { publicUrl }))
        const upload = await uploadMedia(settings(), file, { fetch })
        return typeof upload === 'string' ? post(messageBody(outbound, { mediaId: upload, publicUrl })) : upload
      },
      fetchMedia: (mediaId, maxBytes) => fetchMedia(settings(), { mediaId, maxBytes, timeoutMs, fetch }),
      async markRead(messageId, { isTyping = false } = {}) {
        const typing = isTyping ? { typing_indicator: { type: 'text' } } : {}
        // A failed read receipt is ignored.
        await call({ messaging_product: 'whatsapp', status: 'read', message_id: messageId, ...typing })
      },
    },
  }
}

const notConfigured = failed('stopped', 'NOT_CONFIGURED', 'No access token is set')

function outcomeOf({ status, body, retryAfter, error }: GraphAnswer): Outcome {
  if (error) {
    const { code, text } = error
    const policy = policyOf(code, status)
    const failure = failed(policy.kind, String(code), text, retryAfter ?? policy.retryAfter)
    return policy.isAccountWide ? { ...failure, isAccountWide: true } : failure
  }
  const acceptance = accepted.safeParse(body)
  const [message] = acceptance.success ? acceptance.data.messages : []
  if (status < 300 && message) return { ok: true, messageId: message.id }
  if (status === 429 || status === 503) {
    return { ...failed('busy', String(status), 'The provider is busy', retryAfter ?? 5), isAccountWide: true }
  }
  return failed('unknown', String(status), 'The answer of the provider cannot be read')
}
