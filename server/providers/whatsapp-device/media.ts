import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import * as z from 'zod/mini'
import { type Fetch, fetchBounded } from '../../lib/http-client.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import type { FetchedMedia } from '../provider.ts'

/** Where WhatsApp keeps encrypted files of all people; each file has a key of its own. */
const HOST = 'https://mmg.whatsapp.net'
const TIMEOUT_MS = 30_000
const PREFIX = 'web.'
/** Checksum at the end of a file. */
const MAC_BYTES = 10
/** Padding and checksum of an encrypted file. */
const EXTRA_BYTES = 16 + MAC_BYTES

const purposes = {
  image: 'WhatsApp Image Keys',
  sticker: 'WhatsApp Image Keys',
  audio: 'WhatsApp Audio Keys',
  video: 'WhatsApp Video Keys',
  document: 'WhatsApp Document Keys',
} as const

const place = z.object({
  type: z.enum(['image', 'sticker', 'audio', 'video', 'document']),
  path: z.string().check(z.regex(/^\/[^/\\]/)),
  /** Base64 of 32 bytes. */
  key: z.string(),
})

/** Media id of a file of the linked device: where it is and its key. Null if the message does not tell them. */
export function deviceMediaId(type: string, path: unknown, key: unknown): string | null {
  const bytes = key instanceof Uint8Array ? Buffer.from(key).toString('base64') : key
  const { success, data } = place.safeParse({ type, path, key: bytes })
  return success ? `${PREFIX}${Buffer.from(JSON.stringify(data)).toString('base64url')}` : null
}

function placeOf(mediaId: string): z.output<typeof place> | null {
  if (!mediaId.startsWith(PREFIX)) return null
  try {
    const { success, data } = place.safeParse(
      JSON.parse(Buffer.from(mediaId.slice(PREFIX.length), 'base64url').toString('utf8')),
    )
    return success ? data : null
  } catch {
    return null
  }
}

const gone = { ok: false, kind: 'gone' } as const
const busy = { ok: false, kind: 'busy' } as const

/** Fetches and decrypts a file that was sent to the linked device; WhatsApp keeps it for some weeks. */
export async function fetchDeviceMedia(
  mediaId: string,
  maxBytes: number,
  { fetch }: { fetch?: Fetch } = {},
): Promise<FetchedMedia> {
  const wanted = placeOf(mediaId)
  if (!wanted) return gone
  const url = new URL(wanted.path, HOST)
  // No other host is asked, whatever the sender wrote.
  if (url.origin !== HOST) return gone
  try {
    const { status, bytes } = await fetchBounded(url, {
      headers: { origin: 'https://web.whatsapp.com' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      maxBytes: maxBytes + EXTRA_BYTES,
      fetch,
    })
    if (status === 429 || status >= 500) return busy
    if (status !== 200) return gone
    if (bytes === null) return { ok: false, kind: 'large', size: null }
    const file = decrypted(bytes, Buffer.from(wanted.key, 'base64'), purposes[wanted.type])
    return file ? { ok: true, bytes: file } : gone
  } catch {
    return busy
  }
}

/** AES-256-CBC with a truncated HMAC-SHA256; null if the file was changed. */
function decrypted(file: Buffer, key: Buffer, purpose: string): Buffer | null {
  if (file.length <= MAC_BYTES) return null
  const keys = Buffer.from(hkdfSync('sha256', key, '', purpose, 112))
  const [iv, cipherKey, macKey] = [keys.subarray(0, 16), keys.subarray(16, 48), keys.subarray(48, 80)]
  const [body, mac] = [file.subarray(0, -MAC_BYTES), file.subarray(-MAC_BYTES)]
  const right = createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, MAC_BYTES)
  if (!isSameSecret(mac, right)) return null
  try {
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}
