import { tabStore } from '../app/site-data.ts'

/** A code that was asked for: kept for this tab, since a phone may throw the page away while the message is read. */
export interface SentCode {
  /** E.164 */
  phone: string
  /** Milliseconds since 1970 from which another code may be asked for. */
  resendAt: number
}

const key = 'sign-in'
/** A code lives five minutes. */
const LIFE_MS = 5 * 60_000

export function saveSentCode(sent: SentCode | null) {
  if (sent) tabStore.setItem(key, JSON.stringify({ ...sent, until: Date.now() + LIFE_MS }))
  else tabStore.removeItem(key)
}

export function readSentCode(): SentCode | null {
  const kept = tabStore.readJson(key)
  if (typeof kept !== 'object' || kept === null) return null
  const { phone, resendAt, until } = kept as Record<string, unknown>
  if (typeof phone !== 'string' || typeof resendAt !== 'number' || typeof until !== 'number') return null
  return until > Date.now() ? { phone, resendAt } : null
}
