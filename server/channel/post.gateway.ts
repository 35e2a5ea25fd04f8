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
}

/** Posts JSON and waits so long for all of the answer; a call that broke off is an outcome of its own. */
export async function postJson(
  url: string,
  { token, body, timeoutMs }: { token: string | null; body: unknown; timeoutMs: number },
): Promise<Answer | Extract<Outcome, { ok: false }>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    return { status: response.status, body: parseJson(text) }
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
