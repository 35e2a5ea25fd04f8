import { type AnswerKey, topicOf } from '@qatra/contract/whatsapp/bot'
import { isFree } from '../dialogue/memory.ts'
import { contested, type IntentName, intentTable, isIntent, thresholds } from '../intent-table.ts'
import type { Likely } from './classifier.ts'
import { isOfGoods, isOfOffersAgain } from './conditions.ts'
import { namesProduct } from './item-request.ts'
import type { Found } from './reading.ts'

/** Least probability against words that speak for something else. */
const SURELY = 0.77
/** Least probability against an answer in free words. */
const AGAINST_ANSWER = 0.9
/** Least probability of what words that mean nothing are like. */
const LIKELY = 0.6
/** Least probability of what a single word is like that means nothing. */
const OF_ONE_WORD = 0.86
/** Two meanings whose probabilities differ by less are both offered. */
const CLOSE = 0.12

export interface Decision {
  /** The most likely first; `unknown` if nothing is. */
  intents: readonly IntentName[]
  /** Of the first. */
  probability: number
  /** As likely as the first: both are offered. */
  alternative: IntentName | null
  /** The likeliest of what is not likely enough to be done, but to be asked about. */
  likeliest: IntentName | null
  topics: readonly AnswerKey[]
}

interface Candidate {
  intent: IntentName
  topic: AnswerKey | null
  probability: number
  /** Its own words speak for it. */
  hasWords: boolean
  /** It takes the place of what the words say. */
  isContradicted: boolean
}

/** The labels of the examples: an intent, or `shop/` and the question to the shop. */
function candidatesIn(found: Found, likely: readonly Likely[]): Candidate[] {
  const { said, topics } = found
  const all = likely.flatMap(({ label, probability }) => {
    const [name, question] = label.split('/')
    if (!isIntent(name)) return []
    const topic = question === undefined ? null : topicOf(question)
    const hasWords = topic === null ? said.has(name) : topics.includes(topic)
    return { intent: name, topic, probability, hasWords, isContradicted: false }
  })
  return isOverruled(all, found) ? all.map((one) => ({ ...one, isContradicted: !one.hasWords })) : all
}

/** What another meaning overrules is less probable by so much. */
const OVERRULED = 2.5

/** Whether the words speak for answers alone, which the examples are not like: `how much is gold today`. */
function isOverruled(candidates: readonly Candidate[], { said }: Found): boolean {
  if (said.size === 0 || [...said].some((intent) => intentTable[intent].cost !== 'word')) return false
  const probable = candidates.filter(({ intent }) => said.has(intent)).reduce((sum, one) => sum + one.probability, 0)
  return (candidates.find(({ intent }) => !said.has(intent))?.probability ?? 0) > probable * OVERRULED
}

/** Whether a meaning without words of its own is likely enough to be acted on, or asked about. */
function suffices({ intent, topic, probability, isContradicted }: Candidate, found: Found, to: 'act' | 'ask'): boolean {
  const { said, evidence } = found
  const { cost } = intentTable[intent]
  // Nobody is called instead of what is ordered in so many words.
  if (cost === 'time' && to === 'act' && requestedIn(found) !== null) return false
  const least = thresholds[cost][to]
  // Goods that we do not sell are called by words that mean nothing.
  const isVague = intentTable[intent].isVague === true || topic === 'goods'
  if (to === 'ask' || isContradicted) return probability >= least && !(to === 'ask' && isVague)
  if (isFree(evidence.state)) return probability >= Math.max(least, AGAINST_ANSWER)
  // Which question it is, the words leave open.
  const isAgainst = said.size > 0 && !(intent === 'shop' && said.has('shop'))
  const isOneWord = isVague && evidence.tags.length < 2
  return probability >= Math.max(least, isOneWord ? OF_ONE_WORD : isAgainst ? SURELY : isVague ? LIKELY : 0)
}

/** What a refusal, a denial or a detail of the text rules out. At the question about cancelling, only its own words cancel. */
function isPossible({ intent }: Candidate, { evidence, said }: Found): boolean {
  if (intent === 'shop') return !evidence.denied('offer', 'ads')
  const isRefusal = said.has('refuse') || said.has('no')
  // A new day or place is asked for before anything is done.
  if (isRefusal && intentTable[intent].cost !== 'word') return intent === 'reschedule' || intent === 'changePlace'
  if (intent === 'cancelOrder' || intent === 'checkout')
    return evidence.state !== 'cancel' && !(intent === 'cancelOrder' && evidence.denied('cancel'))
  // `sorry 3`
  const isCounted = said.size === 0 && evidence.requests.length > 0
  return !(intent === 'smallTalk' && (evidence.hasDay || isCounted))
}

/** An address, a name or a place, beside an order or alone. */
const isDetail = ({ cost, isBeside }: (typeof intentTable)[IntentName]) => cost === 'deed' && isBeside === true

/** What is ordered or changed in so many words: a product and how many of it. */
function requestedIn({ said, evidence: { requests } }: Found): IntentName | null {
  const isChange =
    said.has('change') &&
    requests.some(
      ({ change, isExplicit, quantity }) =>
        isExplicit && change !== 'refuse' && (quantity !== null || change === 'remove' || change === 'keep'),
    )
  if (isChange) return 'change'
  const isOrder =
    said.has('order') && requests.some((one) => namesProduct(one) && one.quantity !== null && one.change === 'add')
  return isOrder ? 'order' : null
}

/** What is meant, of what the words speak for and what the examples are like. */
export function decide(found: Found, likely: readonly Likely[]): Decision {
  const { said, owned, topics, evidence } = found
  const candidates = candidatesIn(found, likely)
  const taken = candidates.filter((one) => one.hasWords || (suffices(one, found, 'act') && isPossible(one, found)))
  const own = topics.filter((topic) => topic.startsWith('own:'))
  const weights = new Map<IntentName, number>([...said].map((intent) => [intent, 0]))
  const raise = (intent: IntentName, weight: number) => weights.set(intent, Math.max(weights.get(intent) ?? 0, weight))
  for (const { intent, probability } of taken) raise(intent, probability)
  if (own.length > 0 && !said.has('trouble') && !said.has('order') && !said.has('optOut')) raise('shop', 1)
  if (owned !== null) raise(owned, 1)
  // What came broken is heard before anything is ordered.
  if (said.has('trouble') && isOfGoods(evidence)) raise('trouble', 1)
  // `عمارة السلام، شقة 31`: the name of a house is no greeting.
  const hasMore = [...said].some((intent) => !intentTable[intent].isVague && !intentTable[intent].isAnswer)
  if (hasMore) for (const [intent] of weights) if (intentTable[intent].isVague) weights.delete(intent)
  // What is requested in so many words comes before whatever is asked beside it.
  const [either] = contested.find(([intent, topic]) => said.has(intent) && topics.includes(topic)) ?? []
  if (either) for (const intent of ['shop', either] as const) raise(intent, 1)
  const requested = requestedIn(found)
  const competes = (intent: IntentName) =>
    !(intentTable[intent].isBeside || (requested === 'change' && intent === 'order'))
  if (requested) for (const [intent, weight] of weights) if (!competes(intent)) raise(requested, weight)
  const rank = (intent: IntentName) => (intent === requested || intent === either ? 2 : competes(intent) ? 1 : 0)
  const sorted = [...weights].sort(([one, a], [other, b]) => b - a || rank(other) - rank(one))
  const [[first, probability] = ['unknown', 0] as const, [second, next] = [null, 0] as const] = sorted
  // `the same, but to road 1805`: a detail of it.
  const isOfFirst = second !== null && isDetail(intentTable[second]) && ['again', 'order', 'change'].includes(first)
  const isWithin = isOfFirst || (second !== null && requested === first && !competes(second))
  const isClose = second !== null && probability - next < CLOSE && !isWithin
  // An order without products is begun by a question.
  const isBegun = (intent: IntentName) => intent === 'order' && evidence.requests.length === 0
  const isCheap =
    second !== null && [first, second].every((intent) => intentTable[intent].cost === 'word' || isBegun(intent))
  // What may be about the offers is asked about, whatever else it seems to be.
  const consent = candidates.find(
    (one) =>
      (one.intent === 'optOut' || one.intent === 'optIn') && !said.has(one.intent) && suffices(one, found, 'ask'),
  )
  const isAside = intentTable[first].cost === 'word' || first === 'refuse'
  const offered =
    owned === 'optOut'
      ? isOfOffersAgain(evidence)
        ? 'optIn'
        : null
      : isClose && !isCheap
        ? second
        : consent && isAside && first !== 'unknown'
          ? consent.intent
          : null
  const likeliest = candidates.find(
    (one) => suffices(one, found, 'ask') && isPossible(one, found) && !isDetail(intentTable[one.intent]),
  )
  return {
    intents: sorted.length === 0 ? ['unknown'] : sorted.map(([intent]) => intent),
    probability,
    alternative: offered,
    likeliest: likeliest?.intent ?? null,
    topics: [
      ...new Set([
        ...own,
        ...taken.flatMap(({ topic }) => topic ?? []),
        ...topics,
        ...(sorted.length === 0 && likeliest?.topic ? [likeliest.topic] : []),
      ]),
    ],
  }
}
