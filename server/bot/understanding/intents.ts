import { optWordIn } from '../../conversations/opt-out-words.ts'
import type { Evidence } from './evidence.ts'
import { type IntentName, rules } from './rules.ts'
import { topicWeight } from './topics.ts'

export interface Candidate {
  intent: IntentName
  /** 1 to 100. */
  weight: number
}

/**
 * Candidates by weight, the strongest first; one per intent. `optWordIn` reads the bare words of advertising; `اشتراك`
 * of a customer without offers never comes here.
 */
export function intentsOf(e: Evidence, text: string): Candidate[] {
  const found = new Map<IntentName, number>()
  const add = (intent: IntentName, weight: number) => found.set(intent, Math.max(found.get(intent) ?? 0, weight))
  const word = optWordIn(text)
  if (word === 'stop') add('optOut', 98)
  if (word === 'start' && !e.any('subscription')) add('optIn', 98)
  for (const [intent, weight, when] of rules) if (when(e)) add(intent, weight)
  const topic = topicWeight(e)
  if (topic > 0) add('shop', topic)
  // `cancel my subscription to your messages` is about no order.
  const isOfOrder = (intent: IntentName) => intent !== 'cancelOrder' || e.any('order', 'myOrder')
  if (word === null && [...found.keys()].some((intent) => otherWishes.has(intent) && isOfOrder(intent))) {
    found.delete('optOut')
    found.delete('optIn')
  }
  return [...found].map(([intent, weight]) => ({ intent, weight })).sort((a, b) => b.weight - a.weight)
}

/** Beside one of these a message changes no consent: `بدون عروض، كم سعر الكرتون؟`. */
const otherWishes: ReadonlySet<IntentName> = new Set([
  'person',
  'callMe',
  'cancelOrder',
  'track',
  'reschedule',
  'change',
  'order',
  'price',
  'cart',
] as const)
