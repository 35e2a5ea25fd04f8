import * as z from 'zod/mini'
import type { Config } from '../platform/config.ts'
import { type CodeGateway, type CodeLetter, failed, type Outcome } from './letter.ts'
import { type Answer, postJson } from './post.gateway.ts'

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

/** Limits of the account, of the pair of numbers, of templates; maintenance. Nothing was sent, later it may be. */
const busyCodes = new Set([4, 80007, 130429, 131048, 131056, 131057, 133016])
/** Something went wrong at the provider's: it does not say on which side of sending. */
const unknownCodes = new Set([1, 2, 131000, 131016])

/** Codes by Meta's Cloud API: an authentication template, whose button carries the code too. */
export function whatsappCloudGateway(config: Config['whatsapp'], timeoutMs = 8_000): CodeGateway {
  const url = `${config.graphUrl}/${config.phoneNumberId}/messages`
  return {
    async send(letter) {
      const body = codeTemplate(letter, config.codeTemplate)
      const answer = await postJson(url, { token: config.token, body, timeoutMs })
      return 'ok' in answer ? answer : outcomeOf(answer)
    },
  }
}

export function codeTemplate(letter: CodeLetter, name: string) {
  const parameters = [{ type: 'text', text: letter.code }]
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: letter.to.slice(1),
    type: 'template',
    template: {
      name,
      language: { code: letter.lang },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    },
    biz_opaque_callback_data: letter.reference,
  }
}

function outcomeOf({ status, body }: Answer): Outcome {
  const refusal = refused.safeParse(body)
  if (refusal.success) {
    const { code, message, error_data } = refusal.data.error
    const text = [message, error_data?.details].filter(Boolean).join(': ')
    if (busyCodes.has(code) || status === 429) return failed('busy', String(code), text)
    if (unknownCodes.has(code) || status >= 500) return failed('unknown', String(code), text)
    return failed('undeliverable', String(code), text)
  }
  const acceptance = accepted.safeParse(body)
  const [message] = acceptance.success ? acceptance.data.messages : []
  if (status < 300 && message) return { ok: true, messageId: message.id }
  if (status === 429 || status === 503) return failed('busy', String(status), 'The provider is busy')
  return failed('unknown', String(status), 'The answer of the provider cannot be read')
}
