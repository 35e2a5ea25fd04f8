import { createHmac } from 'node:crypto'
import { isSameSecret } from '../lib/secrets.ts'
import type { Receipt } from '../providers/provider.ts'
import { isSigned, mayBeSignature } from '../providers/whatsapp-cloud/signature.ts'

export interface SmsReceipt {
  messageId: string
  reference: string | null
  status: Receipt
  error?: { code: string; text: string; kind: string }
}

/** Null if the signature is wrong; otherwise the receipts, empty if the call changes no message's status. */
export type Reader = (call: { bytes: Buffer; headers: Record<string, unknown>; url: string }) => SmsReceipt[] | null

const statuses: Readonly<Record<string, Receipt>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
}

const errorOf = (status: Receipt, code: string) =>
  status === 'failed' ? { error: { code, text: 'The provider could not deliver it', kind: 'undeliverable' } } : {}

export const mayBePlain = (headers: Record<string, unknown>) => mayBeSignature(headers['x-signature-256'])
export const mayBeTwilio = (headers: Record<string, unknown>) =>
  /^[A-Za-z\d+/]{27}=$/.test(String(headers['x-twilio-signature'] ?? ''))

/** `{id, status, reference?}` as JSON, `X-Signature-256: sha256=…` over the bytes with the token. */
export const readPlainReceipt =
  (token: string): Reader =>
  ({ bytes, headers }) => {
    if (!isSigned(token, bytes, headers['x-signature-256'])) return null
    const body = objectIn(bytes)
    const status = statuses[String(body['status'])]
    const id = body['id'] ?? body['messageId'] ?? body['message_id']
    if (!status || (typeof id !== 'string' && typeof id !== 'number')) return []
    const reference = typeof body['reference'] === 'string' ? body['reference'] : null
    return [
      {
        messageId: `sms.${String(id).slice(0, 200)}`,
        reference,
        status,
        ...errorOf(status, String(body['error'] ?? '')),
      },
    ]
  }

function objectIn(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Twilio's status callback: a form, signed with the token over the address and its sorted fields. */
export const readTwilioReceipt =
  (token: string): Reader =>
  ({ bytes, headers, url }) => {
    const form = [...new URLSearchParams(bytes.toString('utf8'))].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    const signed = createHmac('sha1', token)
      .update(url + form.map(([name, value]) => name + value).join(''))
      .digest()
    const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''), 'base64')
    if (!isSameSecret(given, signed)) return null
    const fields = new Map(form)
    const [id, status] = [fields.get('MessageSid'), statuses[fields.get('MessageStatus') ?? '']]
    if (!id || !status) return []
    const reference = new URL(url).searchParams.get('reference')
    return [
      { messageId: `sms.${id.slice(0, 100)}`, reference, status, ...errorOf(status, fields.get('ErrorCode') ?? '') },
    ]
  }
