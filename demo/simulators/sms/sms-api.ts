import { createHmac, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Config } from '../../../server/config/config.ts'
import type { Receipt } from '../../../server/providers/provider.ts'
import { SMS_RECEIPTS } from '../../../server/providers/sms/receipts.ts'
import { signatureOf } from '../../../server/providers/whatsapp-cloud/signature.ts'
import type { ProviderHandler, ProviderReply } from '../provider-http.ts'

export interface SentSms {
  id: string
  /** E.164 */
  to: string
  text: string
  reference: string | null
}

export interface SmsAccount {
  /** Null: no credentials are checked. */
  token: string | null
  accept: (message: SentSms) => Promise<void>
}

const plain = z.object({ to: z.string(), text: z.string(), reference: z.optional(z.string()) })
const twilio = z.object({ To: z.string(), Body: z.string(), StatusCallback: z.optional(z.url()) })
const isPhone = (text: string) => /^\+\d{8,15}$/.test(text)

/** Two formats: Twilio's Messages resource, and JSON with a bearer token. */
export function createSmsApi(account: SmsAccount): ProviderHandler {
  return async ({ path, headers, body }) => {
    const id = randomUUID().replaceAll('-', '')
    const [, sid] = /^\/2010-04-01\/Accounts\/(AC[\da-f]{32})\/Messages\.json$/i.exec(path) ?? []
    const { authorization } = headers
    return sid
      ? handleTwilioMessage(account, sid, { id: `SM${id}`, body, authorization })
      : handlePlainMessage(account, { id, body, authorization })
  }
}

interface Call {
  id: string
  body: string
  authorization: string | undefined
}

async function handleTwilioMessage({ token, accept }: SmsAccount, sid: string, { id, body, authorization }: Call) {
  const basic = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`
  const refused = (status: number, code: number, message: string) => ({ status, body: { code, message, status } })
  if (token !== null && authorization !== basic) return refused(401, 20003, 'Authenticate')
  const { success, data } = twilio.safeParse(Object.fromEntries(new URLSearchParams(body)))
  if (!success || !isPhone(data.To)) return refused(400, 21211, "Invalid 'To' Phone Number")
  const callback = URL.parse(data.StatusCallback ?? '')
  await accept({ id, to: data.To, text: data.Body, reference: callback?.searchParams.get('reference') ?? null })
  return { status: 201, body: { sid: id, status: 'queued', error_code: null } }
}

async function handlePlainMessage(
  { token, accept }: SmsAccount,
  { id, body, authorization }: Call,
): Promise<ProviderReply> {
  if (token !== null && authorization !== `Bearer ${token}`) return { status: 401, body: { error: 'bad token' } }
  const { success, data } = plain.safeParse(parseJson(body))
  if (!success || !isPhone(data.to)) return { status: 400, body: { error: 'bad number' } }
  await accept({ id, to: data.to, text: data.text, reference: data.reference ?? null })
  return { status: 200, body: { id } }
}

/** The call by which the provider reports a delivery. */
export function smsReceiptCall(
  { provider, token }: Config['sms'],
  publicUrl: string,
  { id, reference, status }: { id: string; reference: string | null; status: Receipt },
) {
  if (provider === 'twilio') {
    const url = `${SMS_RECEIPTS}?reference=${encodeURIComponent(reference ?? '')}`
    const signed = `${publicUrl}${url}MessageSid${id}MessageStatus${status}`
    const signature = createHmac('sha1', token ?? '')
      .update(signed)
      .digest('base64')
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
    return { url, headers, payload: Buffer.from(`MessageSid=${id}&MessageStatus=${status}`) }
  }
  const payload = Buffer.from(JSON.stringify({ id, status, reference }))
  const headers = { 'content-type': 'application/json', 'x-signature-256': signatureOf(token ?? '', payload) }
  return { url: SMS_RECEIPTS, headers, payload }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
