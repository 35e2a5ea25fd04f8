import type { Outcome } from './letter.ts'

const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

export interface Answer {
  status: number
  /** Null where the answer is no JSON. */
  body: unknown
  /** Seconds, where the provider says when to come again. */
  retryAfter?: number
}

/** Posts JSON and waits so long for all of the answer; a call that broke off is an outcome of its own. */
export const postJson = (
  url: string,
  { token, body, timeoutMs }: { token: string | null; body: unknown; timeoutMs: number },
) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  return ask(url, { method: 'POST', headers, body: JSON.stringify(body) }, timeoutMs)
}

/** One call to a provider, never followed to another address with the credentials in hand. */
export async function ask(
  url: string,
  request: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  timeoutMs: number,
): Promise<Answer | Extract<Outcome, { ok: false }>> {
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      body: parseJson(text),
      ...(wait > 0 && wait <= 3_600 ? { retryAfter: Math.ceil(wait) } : {}),
    }
  } catch (error) {
    const code = codeOf(error)
    const kind = neverConnected.has(code) ? 'busy' : 'unknown'
    const reason = error instanceof Error ? error.name : 'Error'
    return { ok: false, kind, error: { code: code || reason, text: 'The provider did not answer' } }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
