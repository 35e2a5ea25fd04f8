import { createHmac, timingSafeEqual } from 'node:crypto'

/** Webhook signature: the format of `X-Hub-Signature-256`, over the raw bytes. */
export const signatureOf = (secret: string, bytes: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`

/** Whether the header has the format of a signature; checked before the body is read. */
export const mayBeSignature = (header: unknown) => typeof header === 'string' && /^sha256=[0-9a-f]{64}$/.test(header)

/** Constant-time comparison; a signature of another length is invalid. */
export function isSigned(secret: string, bytes: Buffer, header: unknown): boolean {
  if (typeof header !== 'string') return false
  const [given, right] = [Buffer.from(header), Buffer.from(signatureOf(secret, bytes))]
  return given.length === right.length && timingSafeEqual(given, right)
}
