import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { failed, type TextGateway } from '../provider.ts'
import { type CallOptions, postJson } from '../provider-http.gateway.ts'

const id = z.union([z.string().check(z.minLength(1)), z.number()])
const accepted = z.union([z.object({ id }), z.object({ messageId: id }), z.object({ message_id: id })])

/**
 * SMS by any provider that takes `{to, from, text, reference}` as JSON with a bearer token and answers the id it gave
 * the message; one without an id is not believed to have sent anything.
 */
export function smsGateway(config: Config['sms'], { timeoutMs = 8_000, fetch }: CallOptions = {}): TextGateway {
  return {
    async send({ to, text, reference }) {
      const body = { to, from: config.sender, text, reference }
      const answer = await postJson(config.url ?? '', { token: config.token, body, timeoutMs, fetch })
      if ('ok' in answer) return answer
      const { status } = answer
      if (status === 429 || status === 503) return failed('busy', String(status), 'The provider is busy')
      if (status >= 500) return failed('unknown', String(status), 'The provider failed')
      if (status >= 300) return failed('undeliverable', String(status), 'The provider refused')
      const acceptance = accepted.safeParse(answer.body)
      if (!acceptance.success) return failed('unknown', String(status), 'The answer of the provider has no id')
      return { ok: true, messageId: `sms.${Object.values(acceptance.data)[0]}` }
    },
  }
}
