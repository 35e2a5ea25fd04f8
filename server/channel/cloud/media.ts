import * as z from 'zod/mini'
import type { Config } from '../../platform/config.ts'
import { callOut } from '../../platform/outgoing.ts'
import type { FetchedMedia } from '../letter.ts'

const told = z.object({ url: z.url(), file_size: z.optional(z.number()) })
const MOST_TOLD = 64 * 1024
/** Where Meta keeps files; nobody else is given the token. */
const keepers = /\.(?:fbsbx|fbcdn|facebook|whatsapp)\.(?:com|net)$/

interface Wanted {
  mediaId: string
  mostBytes: number
  timeoutMs: number
}

/**
 * As Meta documents it: the id is asked for an address, which holds for five minutes and gives the bytes to whoever has
 * the token.
 */
export async function fetchMedia(
  { graphUrl, token }: Config['whatsapp'],
  { mediaId, mostBytes, timeoutMs }: Wanted,
): Promise<FetchedMedia> {
  const get = (url: string, most: number) => getBytes(url, { token, most, timeoutMs })
  const answer = await get(`${graphUrl}/${encodeURIComponent(mediaId)}`, MOST_TOLD)
  if (!answer.ok) return answer
  const { success, data } = told.safeParse(parseJson(answer.bytes))
  if (!success || !isKeeper(data.url, graphUrl)) return gone
  if ((data.file_size ?? 0) > mostBytes) return gone
  return get(data.url, mostBytes)
}

const gone = { ok: false, kind: 'gone' } as const
const busy = { ok: false, kind: 'busy' } as const

function isKeeper(url: string, graphUrl: string): boolean {
  const { protocol, hostname, origin } = new URL(url)
  return origin === new URL(graphUrl).origin || (protocol === 'https:' && keepers.test(hostname))
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
}

/** All of it or nothing. */
async function getBytes(url: string, { token, most, timeoutMs }: Call): Promise<FetchedMedia> {
  try {
    const { status, bytes } = await callOut(url, {
      headers: { authorization: `Bearer ${token ?? ''}` },
      signal: AbortSignal.timeout(timeoutMs),
      mostBytes: most,
    })
    if (status === 429 || status >= 500) return busy
    return status === 200 && bytes !== null ? { ok: true, bytes } : gone
  } catch {
    return busy
  }
}
