import { optWordIn } from '../../conversations/opt-out-words.ts'
import { isOfGoods, wanted } from './conditions.ts'
import type { Evidence } from './evidence.ts'
import { namesProduct } from './item-request.ts'
import { type IntentName, rules } from './rules.ts'
import { is } from './tags.ts'
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
  if (word === null && (isDeliveryDenied(e) || [...found.keys()].some((intent) => isOtherRequest(intent, e)))) {
    if (!isStopAsked(e)) found.delete('optOut')
    found.delete('optIn')
  }
  return [...found].map(([intent, weight]) => ({ intent, weight })).sort((a, b) => b.weight - a.weight)
}

/**
 * With one of these a message changes no consent: `بدون عروض، كم سعر الكرتون؟`. Only a stop that is asked for in so many
 * words counts with them too.
 */
const otherRequests: ReadonlySet<IntentName> = new Set([
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

/** Words that also occur in other requests: `two are enough`, `the road is blocked`. */
const vagueStops = /^(?:enough|كافي|end|بس عاد|blocked|your list)$/

/** A word of stopping or unsubscribing, or a denied `send`. `no offers` alone is not a stop. */
function isStopAsked(e: Evidence): boolean {
  const isSaid = (lexeme: 'stop' | 'unsubscribe') =>
    e.any(lexeme) && e.tags.some((tag) => is(tag, lexeme) && !vagueStops.test(tag.text))
  const isAdvert = e.any('ads', 'offer')
  if (e.denied('send') || isSaid('unsubscribe') || (isAdvert && e.has('cancel', 'subscription'))) return true
  // `stop sending me ghaima, I want hayrat`
  if (isSaid('stop') && (isAdvert || !wanted(e).some(namesProduct))) return true
  return isSendDenied(e) && !isDeliveryDenied(e)
}

const isSendDenied = (e: Evidence) =>
  e.denied('bring') && e.tags.some((tag) => is(tag, 'bring') && /send|رسل|طرش/.test(tag.text))

/** `don't send me my order today, send it tomorrow` */
const isDeliveryDenied = (e: Evidence) =>
  isSendDenied(e) && !e.any('ads', 'offer') && (e.hasDay || e.any('order', 'myOrder', 'waterWord', 'deliver'))

/** `cancel my subscription to your messages` is about no order. */
const isOtherRequest = (intent: IntentName, e: Evidence) =>
  otherRequests.has(intent) && (intent !== 'cancelOrder' || e.any('order', 'myOrder'))

/** What else is asked for with the stop of the offers. */
export function intentAfterStop([first, second]: readonly Candidate[], e: Evidence): IntentName | null {
  if (first?.intent !== 'optOut' || !second) return null
  // Otherwise the complaint is about the offers.
  const isTrouble = second.intent === 'trouble' && (isOfGoods(e) || e.any('arrive', 'late') || e.denied('arrive'))
  return isTrouble || isOtherRequest(second.intent, e) ? second.intent : null
}
