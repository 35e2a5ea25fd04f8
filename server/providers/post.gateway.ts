import { type Fetch, fetchBounded } from '../lib/http-client.ts'
import type { Outcome } from './provider.ts'

const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** `fetch`: in place of the network. */
export interface CallOptions {
  timeoutMs?: number
  fetch?: Fetch | undefined
}

export interface Answer {
  status: number
  /** Null where the answer is no JSON, or longer than any of theirs. */
  body: unknown
  /** Seconds, where the provider says when to come again. */
  retryAfter?: number
}

/** Posts JSON and waits so long for all of the answer; a call that broke off is an outcome of its own. */
export const postJson = (
  url: string,
  { token, body, ...options }: { token: string | null; body: unknown; timeoutMs: number; fetch?: Fetch | undefined },
) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  return ask(url, { method: 'POST', headers, body: JSON.stringify(body), ...options })
}

interface AskedCall {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  fetch?: Fetch | undefined
}

/** One call to a provider, never followed to another address with the credentials in hand. */
export async function ask(
  url: string,
  { timeoutMs, ...request }: AskedCall,
): Promise<Answer | Extract<Outcome, { ok: false }>> {
  try {
    const { status, headers, bytes } = await fetchBounded(url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
    // Whether whoever points to another address took the message, nobody knows.
    if (status >= 300 && status < 400) return broken('REDIRECT', 'The provider points to another address')
    const wait = Number(headers.get('retry-after') ?? Number.NaN)
    return {
      status,
      body: parseJson(bytes),
      ...(wait > 0 && wait <= 3_600 ? { retryAfter: Math.ceil(wait) } : {}),
    }
  } catch (error) {
    const code = codeOf(error)
    const reason = error instanceof Error ? error.name : 'Error'
    const text = 'The provider did not answer'
    if (neverConnected.has(code)) return { ok: false, kind: 'busy', error: { code, text } }
    return broken(code || reason, text)
  }
}

const broken = (code: string, text: string) => ({ ok: false, kind: 'unknown', error: { code, text } }) as const

function parseJson(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? '')
  } catch {
    return null
  }
}
