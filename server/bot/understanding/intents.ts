import { optWordIn } from '../../conversations/opt-out-words.ts'
import type { IntentName } from '../intent-table.ts'
import { endsInNevermind, isOfGoods, wanted } from './conditions.ts'
import type { Evidence } from './evidence.ts'
import { namesProduct } from './item-request.ts'
import { rules } from './rules.ts'
import { is } from './tags.ts'
import { topicsOf } from './topics.ts'

/** Intents that the words speak for. `optWordIn` reads the bare words of advertising. */
export function intentsOf(e: Evidence, text: string): Set<IntentName> {
  const found = new Set(rules.flatMap(([intent, when]) => (when(e) ? [intent] : [])))
  const word = optWordIn(text)
  if (word === 'stop') return new Set(['optOut'])
  // `اشتراك` of a customer without offers never comes here.
  if (word === 'start' && !e.any('subscription')) return new Set(['optIn'])
  if (topicsOf(e).length > 0) found.add('shop')
  if (found.has('refuse') && !wanted(e).some((one) => namesProduct(one) && one.quantity !== null)) found.delete('order')
  // `no, don't add it`, `هونت عنه، شيله`: a line to take out.
  const [only, ...others] = e.requests
  if (only?.change === 'remove' && others.length === 0)
    for (const intent of ['refuse', 'no'] as const) found.delete(intent)
  // `نقص كرتون... لا خلها مثل ما هي`: the last word counts.
  if (endsInNevermind(e)) for (const intent of takenBack) found.delete(intent)
  if (word === null && (isDeliveryDenied(e) || [...found].some((intent) => isOtherRequest(intent, e)))) {
    if (!isStopAsked(e)) found.delete('optOut')
    found.delete('optIn')
  }
  return found
}

const takenBack = ['change', 'order', 'edit', 'clear', 'again', 'checkout', 'yes', 'cancelOrder'] as const

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

/** What else is asked for with the stop of the offers, of the other meanings in order. */
export function intentAfterStop(intents: readonly IntentName[], e: Evidence): IntentName | null {
  const others = intents.filter((intent) => intent !== 'optOut' && intent !== 'optIn')
  // Otherwise the complaint is about the offers.
  const isTrouble = isOfGoods(e) || e.any('arrive', 'late') || e.denied('arrive')
  const isMeant = (intent: IntentName) =>
    intent === 'trouble' ? isTrouble : isOtherRequest(intent, e) && !(intent === 'order' && others.includes('refuse'))
  return others.find(isMeant) ?? null
}
