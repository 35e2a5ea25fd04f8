import { createHmac, timingSafeEqual } from 'node:crypto'

/** As Meta writes it in `X-Hub-Signature-256`, over the bytes as they travel. */
export const signatureOf = (secret: string, bytes: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`

/** Whether it has the form of a signature at all: known before the body is read. */
export const mayBeSignature = (header: unknown) => typeof header === 'string' && /^sha256=[0-9a-f]{64}$/.test(header)

/** Takes the same time wherever a wrong signature differs; one of another length is none. */
export function isSigned(secret: string, bytes: Buffer, header: unknown): boolean {
  if (typeof header !== 'string') return false
  const [given, right] = [Buffer.from(header), Buffer.from(signatureOf(secret, bytes))]
  return given.length === right.length && timingSafeEqual(given, right)
}
