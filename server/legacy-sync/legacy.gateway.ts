import type { Config } from '../config/config.ts'
import { errorCode, fetchBounded, type HttpAnswer, isNeverSent } from '../lib/http-client.ts'
import { maskText } from '../lib/logger.ts'
import type { LegacyOutcome } from './outcome.ts'

export interface LegacyGateway {
  /** `known`: the order's id in the older system, if already known; the response does not have to repeat it. */
  send: (call: { key: string; words: unknown; known: string | null }) => Promise<LegacyOutcome>
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
const MAX_WAIT = 3_600
const MAX_MESSAGE_LENGTH = 200

/** The only code that calls the older system. It never throws. */
export function legacyGateway({ url, token }: Config['legacy'], timeoutMs = TIMEOUT_MS): LegacyGateway {
  return {
    async send({ key, words, known }) {
      try {
        const answer = await fetchBounded(url ?? '', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'idempotency-key': key,
            ...(token ? { authorization: `Bearer ${token}` } : {}),
          },
          body: JSON.stringify(words),
          signal: AbortSignal.timeout(timeoutMs),
          maxBytes: MAX_BYTES,
        })
        return outcomeOf(answer, known)
      } catch (error) {
        return failureOf(error, timeoutMs)
      }
    },
  }
}

/** Wrong address or missing access: the order was not processed, and a retry alone does not help. */
const configurationErrors = [401, 403, 404, 405]
/** Temporary rejections. */
const later = [408, 425, 429, 503]

function outcomeOf({ status, headers, bytes }: HttpAnswer, known: string | null): LegacyOutcome {
  const isOk = status >= 200 && status < 300
  const answer = objectIn(bytes)
  const retryAfter = waitOf(headers)
  const wait = retryAfter === null ? {} : { retryAfter }
  const message = errorText(status, answer)
  // 409 with ids: the older system already has this order.
  if (isOk || status === 409) {
    const isPlainYes = isOk && (status === 204 || answer !== null)
    const bagId = idIn(answer, 'legacyBagId', 'bagId') ?? (isPlainYes ? known : null)
    const transactionId = idIn(answer, 'legacyTransactionId', 'transactionId')
    if (bagId !== null) return { kind: 'synced', status, bagId, transactionId }
    if (isOk) return { kind: 'unknown', status, message: 'The answer has no number of a bag' }
  }
  if (status >= 300 && status < 400)
    return {
      kind: 'unreached',
      status,
      message: 'It points to another address, which is not followed',
      mayRetry: false,
    }
  if (configurationErrors.includes(status)) return { kind: 'unreached', status, message, mayRetry: false }
  if (status === 429) return { kind: 'unreached', status, message, mayRetry: true, ...wait }
  if (status >= 500 || later.includes(status)) return { kind: 'unknown', status, message, ...wait }
  return { kind: 'refused', status, message }
}

function failureOf(error: unknown, timeoutMs: number): LegacyOutcome {
  const code = errorCode(error)
  if (isNeverSent(code)) return { kind: 'unreached', status: null, message: code, mayRetry: true }
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const message = isLate ? `No answer within ${timeoutMs / 1000} s` : code || 'The connection broke'
  return { kind: 'unknown', status: null, message }
}

function objectIn(bytes: Buffer | null): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(bytes?.toString() ?? '')
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    return parsed as Record<string, unknown> // any JSON object
  } catch {
    return null
  }
}

/** A number or a short code; null for anything else. */
function idIn(answer: Record<string, unknown> | null, ...names: string[]): string | null {
  const value = names.map((name) => answer?.[name]).find((one) => one !== undefined && one !== null)
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && /^[\w.:/-]{1,100}$/.test(text) ? text : null
}

/** Error text of the older system, with personal data masked. */
function errorText(status: number, answer: Record<string, unknown> | null): string {
  const text = [answer?.['message'], answer?.['error']].find((one) => typeof one === 'string')
  const words =
    typeof text === 'string'
      ? maskText(text)
          .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
          .trim()
      : ''
  return (words ? `HTTP ${status}: ${words}` : `HTTP ${status}`).slice(0, MAX_MESSAGE_LENGTH)
}

function waitOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? Math.min(MAX_WAIT, Math.ceil(seconds)) : null
}
