import { errorCode, type Fetch, fetchBounded, isNeverSent } from '../lib/http-client.ts'
import type { Outcome } from './provider.ts'

export interface CallOptions {
  timeoutMs?: number
  /** Replaces the network. */
  fetch?: Fetch | undefined
}

export interface Answer {
  status: number
  /** Null if the response is not JSON or exceeds the size limit. */
  body: unknown
  /** Seconds, from the `Retry-After` header. */
  retryAfter?: number
}

export type Failure = Extract<Outcome, { ok: false }>

/** Posts JSON. `timeoutMs` covers the whole response. */
export const postJson = (
  url: string,
  { token, body, ...options }: { token: string | null; body: unknown; timeoutMs: number; fetch?: Fetch | undefined },
) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  return callProvider(url, { method: 'POST', headers, body: JSON.stringify(body), ...options })
}

interface ProviderRequest {
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string | FormData | Uint8Array<ArrayBuffer>
  timeoutMs: number
  fetch?: Fetch | undefined
}

/** Calls a provider. Does not follow redirects, which would send the credentials to another address. */
export async function callProvider(url: string, { timeoutMs, ...request }: ProviderRequest): Promise<Answer | Failure> {
  try {
    const { status, headers, bytes } = await fetchBounded(url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
    // The provider may have accepted the message before it redirected.
    if (status >= 300 && status < 400) return unknownOutcome('REDIRECT', 'The provider redirected the request')
    const wait = secondsOf(headers.get('retry-after') ?? '')
    return {
      status,
      body: parseJson(bytes),
      ...(wait > 0 ? { retryAfter: Math.min(MAX_WAIT_SECONDS, Math.ceil(wait)) } : {}),
    }
  } catch (error) {
    const code = errorCode(error)
    const reason = error instanceof Error ? error.name : 'Error'
    const text = 'The provider did not answer'
    if (isNeverSent(code)) return { ok: false, kind: 'busy', error: { code, text }, isAccountWide: true }
    return unknownOutcome(code || reason, text)
  }
}

const MAX_WAIT_SECONDS = 3_600
/** `Retry-After`: seconds or a date. */
const secondsOf = (header: string) => (/^\d/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000)

const unknownOutcome = (code: string, text: string): Failure => ({ ok: false, kind: 'unknown', error: { code, text } })

function parseJson(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? '')
  } catch {
    return null
  }
}
