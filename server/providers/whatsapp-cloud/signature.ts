import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../lib/secrets.ts'

/** Webhook signature: the format of `X-Hub-Signature-256`, over the raw bytes. */
export const signatureOf = (secret: string, bytes: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`

/** Whether the header has the format of a signature; checked before the body is read. */
export const mayBeSignature = (header: unknown) => typeof header === 'string' && /^sha256=[0-9a-f]{64}$/.test(header)

export const isSigned = (secret: string, bytes: Buffer, header: unknown) =>
  typeof header === 'string' && isSameSecret(header, signatureOf(secret, bytes))
