import { traced } from './tracing/tracing.ts'

/** Far more than a provider's usual response. */
const MAX_BYTES = 1024 * 1024

interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string | FormData | Uint8Array<ArrayBuffer>
  /** For the whole call: connection, headers and body. */
  signal: AbortSignal
  maxBytes?: number
  /** In place of the network: simulated providers. */
  fetch?: Fetch | undefined
}

export type Fetch = (
  url: string | URL,
  init: {
    method?: string
    headers: Record<string, string>
    body?: string | FormData | Uint8Array<ArrayBuffer>
    signal: AbortSignal
    redirect: 'manual'
  },
) => Promise<Response>

/** In place of the network: what `Fetch` and the client of Telegram use of it. */
export type SimulatedFetch = (
  url: unknown,
  init?: { method?: string; headers?: unknown; body?: unknown },
) => Promise<Response>

export interface HttpAnswer {
  status: number
  headers: Headers
  /** Null if the body exceeds the limit; the rest is not read. */
  bytes: Buffer | null
}

/**
 * The only outgoing HTTP client for URLs that the operator configured. Does not follow redirects: they could lead into
 * our network with the credentials. URLs that other people can set go through `safeFetch`.
 */
export async function fetchBounded(
  url: string | URL,
  { maxBytes = MAX_BYTES, fetch: send = fetch, ...request }: Call,
): Promise<HttpAnswer> {
  // The path may have a token or a phone.
  const host = new URL(url).host
  return traced(`call ${host}`, 'client', { 'server.address': host }, async () => {
    const response = await send(url, { ...request, redirect: 'manual' })
    return { status: response.status, headers: response.headers, bytes: await bytesOf(response, maxBytes) }
  })
}

/** Counts decompressed bytes: a small response can decompress to a very large one. */
async function bytesOf({ body }: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Errors before the request was written: no connection, or a certificate that is refused in the TLS handshake. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])

/** Whether a failed call certainly did not reach the other side, so that it can be repeated. */
export const isNeverSent = (code: string): boolean => neverSent.has(code)

/** The code of a network error or of its cause; empty if it has none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return errorCode(error.cause)
}
