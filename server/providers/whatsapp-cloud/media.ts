import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { type Fetch, fetchBounded } from '../../lib/http-client.ts'
import type { FetchedMedia } from '../provider.ts'

const fileInfo = z.object({ url: z.url(), file_size: z.optional(z.number()) })
const MOST_TOLD = 64 * 1024
/** Hosts where Meta stores files; no other host gets the token. */
const keepers = /\.(?:fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/

interface Wanted {
  mediaId: string
  maxBytes: number
  /** Timeout for the file's URL; the download may take longer. */
  timeoutMs: number
  bytesMs?: number
  fetch?: Fetch | undefined
}

const BYTES_MS = 30_000

/** Two steps, as Meta documents: the id returns a URL that is valid for five minutes and needs the token. */
export async function fetchMedia(
  { graphUrl, token }: Config['whatsapp'],
  { mediaId, maxBytes, timeoutMs, bytesMs = BYTES_MS, fetch }: Wanted,
): Promise<FetchedMedia> {
  // Even encoded, these are path segments with a meaning.
  if (mediaId === '.' || mediaId === '..') return gone
  const answer = await getBytes(`${graphUrl}/${encodeURIComponent(mediaId)}`, {
    token,
    most: MOST_TOLD,
    timeoutMs,
    fetch,
  })
  if (!answer.ok) return answer
  const { success, data } = fileInfo.safeParse(parseJson(answer.bytes))
  if (!success || !isKeeper(data.url, graphUrl)) return gone
  const { url, file_size: size = null } = data
  const large = { ok: false, kind: 'large', size } as const
  if ((size ?? 0) > maxBytes) return large
  const file = await getBytes(url, { token, most: maxBytes, timeoutMs: bytesMs, fetch })
  return !file.ok && file.kind === 'large' ? large : file
}

const gone = { ok: false, kind: 'gone' } as const
const busy = { ok: false, kind: 'busy' } as const

function isKeeper(url: string, graphUrl: string): boolean {
  const { protocol, hostname, origin, host, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  return origin === new URL(graphUrl).origin || (protocol === 'https:' && host === hostname && keepers.test(hostname))
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}

interface Call {
  token: string | null
  most: number
  timeoutMs: number
  fetch: Fetch | undefined
}

/** The whole file, or an error. */
async function getBytes(url: string, { token, most, timeoutMs, fetch }: Call): Promise<FetchedMedia> {
  try {
    const { status, bytes } = await fetchBounded(url, {
      headers: { authorization: `Bearer ${token ?? ''}` },
      signal: AbortSignal.timeout(timeoutMs),
      maxBytes: most,
      fetch,
    })
    if (status === 429 || status >= 500) return busy
    if (status !== 200) return gone
    return bytes === null ? { ok: false, kind: 'large', size: null } : { ok: true, bytes }
  } catch {
    return busy
  }
}
