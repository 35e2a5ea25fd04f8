import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { type Answer, type CallOptions, postJson } from '../post.gateway.ts'
import { type CodeGateway, failed, type MessageGateway, type Outcome } from '../provider.ts'
import { policyOf } from './error-policy.ts'
import { fetchMedia, uploadMedia } from './media.ts'
import { codeBody, messageBody } from './payload.ts'

const accepted = z.object({
  messages: z.array(z.object({ id: z.string().check(z.minLength(1)) })).check(z.minLength(1)),
})
const refused = z.object({
  error: z.object({
    code: z.number(),
    message: z._default(z.string(), ''),
    error_data: z.optional(z.object({ details: z.optional(z.string()) })),
  }),
})

const TIMEOUT_MS = 8_000

/** Gateway of Meta's Cloud API: messages, codes by an authentication template, and read receipts. */
export function cloudGateway(
  config: Config['whatsapp'],
  { timeoutMs = TIMEOUT_MS, fetch }: CallOptions = {},
): { messages: MessageGateway; codes: CodeGateway } {
  const url = `${config.graphUrl}/${config.phoneNumberId}/messages`
  const post = async (body: unknown): Promise<Outcome> => {
    const answer = await postJson(url, { token: config.token, body, timeoutMs, fetch })
    return 'ok' in answer ? answer : outcomeOf(answer)
  }
  return {
    codes: { send: (outbound) => post(codeBody(outbound, config.codeTemplate)) },
    messages: {
      hasWindow: true,
      async send(outbound) {
        const { file } = outbound
        if (!file) return post(messageBody(outbound))
        const upload = await uploadMedia(config, file, { fetch })
        return typeof upload === 'string' ? post(messageBody(outbound, upload)) : upload
      },
      fetchMedia: (mediaId, maxBytes) => fetchMedia(config, { mediaId, maxBytes, timeoutMs, fetch }),
      async markRead(messageId, { isTyping = false } = {}) {
        const typing = isTyping ? { typing_indicator: { type: 'text' } } : {}
        const body = { messaging_product: 'whatsapp', status: 'read', message_id: messageId, ...typing }
        // A failed read receipt is ignored.
        await postJson(url, { token: config.token, body, timeoutMs, fetch })
      },
    },
  }
}

export function outcomeOf({ status, body, retryAfter }: Answer): Outcome {
  const refusal = refused.safeParse(body)
  if (refusal.success) {
    const { code, message, error_data } = refusal.data.error
    const text = [message, error_data?.details].filter(Boolean).join(': ')
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
