import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { type Fetch, fetchBounded } from '../../lib/http-client.ts'
import { type FetchedMedia, failed, type OutboundFile, type Outcome } from '../provider.ts'
import { policyOf } from './error-policy.ts'
import { callGraph } from './graph.gateway.ts'

const fileInfo = z.object({ url: z.url(), file_size: z.optional(z.number()) })
const MAX_JSON_BYTES = 64 * 1024
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
    most: MAX_JSON_BYTES,
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

const uploaded = z.object({ id: z.string().check(z.minLength(1)) })
const UPLOAD_MS = 30_000

/**
 * Gives a file to Meta, which keeps it for 30 days. Returns its media id. No message was sent where it fails, so unclear
 * failures are retried.
 */
export async function uploadMedia(
  config: Config['whatsapp'],
  { bytes, mimeType, name }: OutboundFile,
  { fetch }: { fetch?: Fetch | undefined } = {},
): Promise<string | Outcome> {
  const body = new FormData()
  body.set('messaging_product', 'whatsapp')
  body.set('type', mimeType)
  body.set('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), name)
  const request = { method: 'POST', path: `${config.phoneNumberId}/media`, body } as const
  const answer = await callGraph(config, request, { timeoutMs: UPLOAD_MS, fetch })
  if ('ok' in answer) return answer.kind === 'unknown' ? { ...answer, kind: 'busy' } : answer
  const { success, data } = uploaded.safeParse(answer.body)
  if (answer.status < 300 && success) return data.id
  if (!answer.error) return failed('busy', String(answer.status), 'The provider did not take the file', 5)
  const { code, text } = answer.error
  const { kind, retryAfter } = policyOf(code, answer.status)
  return failed(kind === 'unknown' ? 'busy' : kind, String(code), text, answer.retryAfter ?? retryAfter)
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
