import { call, change, WEBHOOK } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { signatureOf } from '../providers/whatsapp-cloud/signature.ts'
import type { TestShop } from './app.ts'

export const APP_SECRET = 'a-secret-of-the-application-41f0'

/** A webhook call of Meta; signed by default. */
export function callAsMeta(
  shop: TestShop,
  body: unknown,
  { signature, headers = {} }: { signature?: string | null; headers?: Record<string, string> } = {},
) {
  const raw = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const signed = signature === undefined ? signatureOf(APP_SECRET, raw) : signature
  return shop.visitor().send('POST', WEBHOOK, {
    raw,
    headers: { ...(signed === null ? {} : { 'x-hub-signature-256': signed }), ...headers },
  })
}

export const text = (phone: string, id: string, body: string, at = Date.now()) => ({
  id,
  from: phone.slice(1),
  timestamp: String(Math.floor(at / 1000)),
  type: 'text',
  text: { body },
})
export const person = (phone: string, name = 'Noura') => ({ profile: { name }, wa_id: phone.slice(1) })
export const textCall = (phone: string, id: string, body: string) =>
  call(change({ contacts: [person(phone)], messages: [text(phone, id, body)] }))

export const status = (id: string, name: string, more: object = {}) => ({
  id,
  status: name,
  timestamp: String(Math.floor(Date.now() / 1000)),
  recipient_id: '97336000006',
  ...more,
})
