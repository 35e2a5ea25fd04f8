import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { failed, type Outcome, type TextGateway } from '../provider.ts'
import { type Answer, type CallOptions, callProvider, postJson } from '../provider-http.gateway.ts'

const accepted = z.object({ sid: z.string().check(z.regex(/^[A-Z]{2}[\da-f]{32}$/i)) })
const refused = z.object({ code: z.number(), message: z._default(z.string(), '') })

/** Codes about the account, credentials or payment: no message is sent until the operator fixes them. */
const stopped = new Set([20003, 20005, 20006, 20404, 21606, 21608, 30002])

/** SMS by Twilio's Messages resource. `SMS_SENDER` is a number, a name, or a messaging service (MG…). */
export function twilioGateway(
  config: Config['sms'],
  callback: string,
  { timeoutMs = 8_000, fetch }: CallOptions = {},
): TextGateway {
  const { account, token, sender } = config
  const url = `${config.url ?? 'https://api.twilio.com'}/2010-04-01/Accounts/${account}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
  return {
    async send({ to, text, reference }) {
      const body = new URLSearchParams({
        To: to,
        [/^MG[\da-f]{32}$/i.test(sender) ? 'MessagingServiceSid' : 'From']: sender,
        Body: text,
        StatusCallback: `${callback}?reference=${encodeURIComponent(reference)}`,
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization }
      const answer = await callProvider(url, { method: 'POST', headers, body: body.toString(), timeoutMs, fetch })
      return 'ok' in answer ? answer : outcomeOf(answer)
    },
  }
}

function outcomeOf({ status, body, retryAfter }: Answer): Outcome {
  const acceptance = accepted.safeParse(body)
  if (status < 300) {
    return acceptance.success
      ? { ok: true, messageId: `sms.${acceptance.data.sid}` }
      : failed('unknown', String(status), 'The answer of the provider has no id')
  }
  const refusal = refused.safeParse(body)
  const [code, text] = refusal.success ? [refusal.data.code, refusal.data.message] : [status, 'The provider refused']
  if (status === 429 || status === 503 || code === 20429) return failed('busy', String(code), text, retryAfter ?? 5)
  if (stopped.has(code) || status === 401) return failed('stopped', String(code), text)
  return failed(status >= 500 ? 'unknown' : 'undeliverable', String(code), text)
}

const id = z.union([z.string().check(z.minLength(1)), z.number()])
const acceptedWithId = z.union([z.object({ id }), z.object({ messageId: id }), z.object({ message_id: id })])

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
      const acceptance = acceptedWithId.safeParse(answer.body)
      if (!acceptance.success) return failed('unknown', String(status), 'The answer of the provider has no id')
      return { ok: true, messageId: `sms.${Object.values(acceptance.data)[0]}` }
    },
  }
}
