import { tabStore } from '../lib/site-data.ts'
import type { Tracked } from './events.ts'

const key = 'analytics-events'
/** SPEC §9. */
const DEDUPE_MS = 30 * 60_000

/** Events that occur once have a stable id, so that a reload does not report them again. */
export function eventId({ name, payload }: Tracked): string {
  if (name === 'purchase') return payload.orderId
  if (name === 'begin_checkout') return `checkout-${payload.cartId}-${payload.totalValue}`
  return `${name}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`
}

function readReported(): [id: string, at: number][] {
  const stored = tabStore.readJson(key)
  return Array.isArray(stored) ? stored.filter((one) => Array.isArray(one) && one[1] > Date.now() - DEDUPE_MS) : []
}

/** False if this id was reported in the last 30 minutes; else it is noted. */
export function isFirst(id: string): boolean {
  const reported = readReported()
  if (reported.some(([one]) => one === id)) return false
  tabStore.setItem(key, JSON.stringify([...reported.slice(-200), [id, Date.now()]]))
  return true
}
