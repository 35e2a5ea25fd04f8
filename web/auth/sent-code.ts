import { tabStore } from '../lib/site-data.ts'

/** A requested code, stored for this tab: a phone may discard the page while the message is read. */
export interface SentCode {
  /** E.164 */
  phone: string
  /** Unix time in ms from which another code can be requested. */
  resendAt: number
}

const key = 'sign-in'
/** A code expires after five minutes. */
const LIFE_MS = 5 * 60_000

export function saveSentCode(sent: SentCode | null) {
  if (sent) tabStore.setItem(key, JSON.stringify({ ...sent, until: Date.now() + LIFE_MS }))
  else tabStore.removeItem(key)
}

export function readSentCode(): SentCode | null {
  const stored = tabStore.readJson(key)
  if (typeof stored !== 'object' || stored === null) return null
  const { phone, resendAt, until } = stored as Record<string, unknown>
  if (typeof phone !== 'string' || typeof resendAt !== 'number' || typeof until !== 'number') return null
  return until > Date.now() ? { phone, resendAt } : null
}
