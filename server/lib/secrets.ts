import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** A key for one purpose, derived from the installation's secret. */
export const keyFor = (secret: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', `qatra ${purpose}`, 32))

export const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

/** Constant-time comparison. Hashes have equal length, as timingSafeEqual requires. */
export const isSameSecret = (given: string | Uint8Array, right: string | Uint8Array) =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(right)))

/** A secret of 256 random bits, for cookies, links and codes. */
export const newToken = () => randomBytes(32).toString('base64url')

export const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex')

const IV_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM with `owner` as additional data: decrypts only with the same key and owner. */
export function seal(key: Buffer, text: string, owner: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Null if the key or owner differs or the text was altered. */
export function unseal(key: Buffer, text: string, owner: string): string | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
