import type { Lang } from '@qatra/contract/lang'

/** A code on its way to a phone, as every gateway takes it. */
export interface CodeLetter {
  /** E.164 */
  to: string
  lang: Lang
  code: string
  /** The whole message for channels that send words. */
  text: string
  /** Our id of the message; comes back with receipts where the provider knows how. */
  reference: string
}

/**
 * `busy`: certainly not accepted, may be tried again. `undeliverable`: never will be. `unknown`: may have been sent, so
 * it is never sent again.
 */
export type Outcome =
  | { ok: true; messageId: string }
  | { ok: false; kind: 'busy' | 'undeliverable' | 'unknown'; error: { code: string; text: string } }

export interface CodeGateway {
  send: (letter: CodeLetter) => Promise<Outcome>
}

export const failed = (kind: 'busy' | 'undeliverable' | 'unknown', code: string, text: string): Outcome => ({
  ok: false,
  kind,
  error: { code, text: text.slice(0, 300) },
})

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
