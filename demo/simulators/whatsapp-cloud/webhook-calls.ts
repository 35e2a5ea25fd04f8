import type { Receipt } from '../../../server/providers/provider.ts'
import { simulatedAccount as account } from '../../../server/providers/settings.ts'
import { signatureOf } from '../../../server/providers/whatsapp-cloud/signature.ts'

export interface Writer {
  /** E.164 */
  phone: string
  name?: string
  /** A newer account: its calls carry the business-scoped id alone. */
  hidesPhone?: boolean
}

/** Business-scoped ids of simulated accounts can be converted back to their phone. */
export const scopedIdOf = (phone: string) => `BH.sim${phone.slice(1)}`
export const phoneOf = ({ phone, businessScopedId }: { phone: string | null; businessScopedId: string | null }) =>
  phone ?? `+${businessScopedId?.replace(/^BH\.sim/, '') ?? ''}`

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000))

export const change = (value: object, field = 'messages') => ({
  field,
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: account.number, phone_number_id: account.phoneNumberId },
    ...value,
  },
})
export const call = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: account.businessId, changes }],
})

export const WEBHOOK = '/api/webhooks/whatsapp'

/** Body and headers of a call as Meta sends it. */
export function signedCall(secret: string, body: object) {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(secret, bytes) }
  return { bytes, headers }
}

/** What Meta calls a webhook with when a customer writes. `content` is `{type, [type]: …}`. */
export function messageCall(
  writer: Writer,
  message: { id: string; at: Date; contextId?: string | null },
  content: object,
) {
  const { phone, name, hidesPhone } = writer
  const user_id = scopedIdOf(phone)
  const wa_id = phone.slice(1)
  const value = {
    contacts: [{ profile: name ? { name } : {}, user_id, ...(hidesPhone ? {} : { wa_id }) }],
    messages: [
      {
        id: message.id,
        from_user_id: user_id,
        ...(hidesPhone ? {} : { from: wa_id }),
        timestamp: seconds(message.at),
        ...(message.contextId ? { context: { from: account.number, id: message.contextId } } : {}),
        ...content,
      },
    ],
  }
  return call(change(value))
}

export interface SimulatedReceipt {
  messageId: string
  phone: string
  reference: string | null
  status: Receipt
  at: Date
  error?: { code: number; title: string }
}

/** Several receipts travel in one call. */
export const receiptsCall = (receipts: readonly SimulatedReceipt[]) =>
  call(
    change({
      statuses: receipts.map(({ messageId, phone, reference, status, at, error }) => ({
        id: messageId,
        status,
        timestamp: seconds(at),
        recipient_id: phone.slice(1),
        recipient_user_id: scopedIdOf(phone),
        ...(reference === null ? {} : { biz_opaque_callback_data: reference }),
        ...(error ? { errors: [{ ...error, message: error.title, error_data: { details: error.title } }] } : {}),
      })),
    }),
  )
