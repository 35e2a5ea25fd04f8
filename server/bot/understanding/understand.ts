import type { Lang } from '@qatra/contract/lib/lang'
import { sizeKey } from '@qatra/contract/products/sizes'
import type { AnswerKey } from '@qatra/contract/whatsapp/bot'
import { isFree, type State } from '../dialogue/memory.ts'
import { isAllExcept, isOfGoods } from './conditions.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { asWritten, decisiveGuesses } from './guesses.ts'
import { type Candidate, intentAfterStop, intentsOf } from './intents.ts'
import { emptyRequest, type ItemRequest, namesProduct } from './item-request.ts'
import { isCorrection, isDenied, itemRequestsIn } from './items.ts'
import { type Writing, writingOf } from './language.ts'
import { bareWords, namesOf, type Shop } from './names.ts'
import { tokenize } from './normalize.ts'
import { noteIn, noteReading } from './notes.ts'
import { withPatterns } from './patterns.ts'
import { findPersonName } from './person-names.ts'
import { type KnownOrder, productsFor } from './products.ts'
import type { IntentName } from './rules.ts'
import {
  type AddressSlot,
  addressIn,
  type Day,
  dayIn,
  isAddressLike,
  isNoPlace,
  isOfWay,
  numberAlone,
  type PlaceSlot,
  placeIn,
} from './slots.ts'
import { type Guess, is, type Tag, tagOf, tagsOf } from './tags.ts'
import { topicsOf } from './topics.ts'
import { lexemesByPhrase } from './vocabulary.ts'

/** What the conversation knows; context for the words, never a filter. */
export interface Known extends KnownOrder {
  state: State
}

/** A requested item with the products that it can mean; exactly one if it is clear. */
export interface Item extends ItemRequest {
  productIds: readonly number[]
}

export interface Slots {
  items: readonly Item[]
  place: PlaceSlot | null
  address: AddressSlot | null
  day: Day | null
  name: string | null
  /** A complaint is about goods that came. */
  isOfGoods: boolean
  /** A note for the driver that was not asked for. */
  note: string | null
  /** The language that is asked for. */
  language: Lang | null
  /** Questions to the shop, also beside an order. */
  topics: readonly AnswerKey[]
  /** A number that stands alone. */
  number: number | null
  /** The words without a known meaning. */
  unknown: string
}

/** The meaning of one message. */
export interface Understanding {
  /** As written, trimmed. */
  text: string
  /** No word, number or known mark. */
  isEmpty: boolean
  writing: Writing
  slots: Slots
  /** The strongest first. */
  intents: readonly Candidate[]
  intent: IntentName
  /** The second intent where both are about as likely: the answer offers both. */
  alternative: IntentName | null
  /** What else is asked for with the stop of the offers. */
  secondIntent: IntentName | null
  /** 0 to 1; below `SURE` the answer asks instead of acting. */
  confidence: number
  /** Words that are not written as known, and that decide what would be done: the answer asks about them first. */
  guesses: readonly Guess[]
}

/** Least confidence for a change of the cart, an order, a name or an address. */
export const SURE = 0.5
const TIE = 1
/** Above every other reading: the question for a name owns its answer. */
const OWNED = 99
/** The longest note for the driver with its heading; the messages of a turn together can be much longer. */
const LONGEST_READ = 1_100

interface Reading {
  text: string
  shop: Shop
  known: Known
}

/**
 * Reads a message: what is meant, with which confidence. Pure; the catalogue's names are indexed once per snapshot.
 * Answers in free words are read as written, as is every message with `isLiteral`: nothing is guessed there. No
 * pattern sees more than the first letters.
 */
export function understand(written: string, shop: Shop, known: Known, isLiteral = isFree(known.state)): Understanding {
  const text = written.slice(0, LONGEST_READ)
  const names = namesOf(shop)
  const isKnown = (word: string) => lexemesByPhrase.has(word) || names.byName.has(bareWords(word).join(' '))
  const tags = tagsOf(tokenize(text, isKnown), names)
  const read = (some: readonly Tag[]) => meaningOf(some, { text, shop, known })
  const meaning = read(isLiteral ? tags.map(asWritten) : tags)
  const guesses = isLiteral ? [] : decisiveGuesses(tags, meaning, read)
  return { ...meaning, text: written.trim(), guesses }
}

function meaningOf(found: readonly Tag[], { text, shop, known }: Reading): Understanding {
  const raw = withPatterns(found, shop)
  const place = placeIn(raw, shop, known.state)
  const tags = raw.map((tag) => (isNoPlace(tag, place) ? tagOf('word', tag.text, { isJoined: tag.isJoined }) : tag))
  const requests = ofCart(itemRequestsIn(tags), tags, known)
  const evidence = evidenceOf(tags, requests, { state: known.state, hasCart: known.cart.length > 0 })
  const number = numberAlone(tags)
  const address = addressIn(tags, text)
  const name = findPersonName(text, evidence)
  const note = noting.has(known.state) ? noteIn(text) : null
  const intents = withContext(intentsOf(evidence, text), { text, evidence, known, number, address, name })
  const [first, second] = intents
  const isTie =
    first !== undefined &&
    second !== undefined &&
    first.weight - second.weight < TIE &&
    !(wanting.has(first.intent) && withOrder.has(second.intent))
  const reading =
    known.state === 'notes' || note !== null
      ? // A note that names the driver calls nobody.
        noteReading(note === null ? intents : intents.filter(({ intent }) => intent !== 'person'), evidence)
      : { intent: first?.intent ?? 'unknown', alternative: isTie ? second.intent : null }
  const items = isAllExcept(evidence)
    ? requests.map((request) => ({ ...request, productIds: [] }))
    : resolved(shop, requests, known, first?.intent === 'again')
  return {
    text: text.trim(),
    isEmpty: tags.length === 0,
    writing: writingOf(text),
    slots: {
      items,
      place,
      address: reading.intent === 'address' && address === null ? { parts: {}, text: text.trim() } : address,
      day: dayIn(tags),
      name,
      isOfGoods: isOfGoods(evidence),
      note,
      language: languageAsked(evidence),
      topics: topicsOf(evidence),
      number,
      unknown: tags.flatMap(({ type, text: word }) => (type === 'word' ? [word] : [])).join(' '),
    },
    intents,
    ...reading,
    secondIntent: reading.intent === 'optOut' ? intentAfterStop(intents, evidence) : null,
    confidence: confidenceOf(first, evidence, isTie),
    guesses: [],
  }
}

const wanting: ReadonlySet<IntentName> = new Set(['order', 'change', 'again'] as const)
/** What is said beside an order and does not compete with it. */
const withOrder: ReadonlySet<IntentName> = new Set(['shop', 'has', 'place', 'address'] as const)

const noShop: Shop = { vendors: new Map(), products: new Map(), areas: new Map(), blocks: new Map() }

/** Whether a text asks for the menu, without knowledge of the shop or the conversation. */
export const isMenuWord = (text: string): boolean =>
  understand(text, noShop, { state: 'idle', vendorId: null, productId: null, cart: [], lastOrder: [] }).intent ===
  'menu'

/** States in which a quoted text or `note: …` is a note for the driver, not part of an answer. */
const noting: ReadonlySet<State> = new Set([
  'idle',
  'vendor',
  'product',
  'quantity',
  'cart',
  'item',
  'confirm',
] as const)

const languageAsked = (e: Evidence): Lang | null =>
  e.any('english') === e.any('arabic') ? null : e.any('english') ? 'en' : 'ar'

const settling: ReadonlySet<State> = new Set(['cart', 'confirm', 'item'])

/** `ابيها 5`, `لا ابي 5`, `just 2, not 4` after the cart was shown: the number is the quantity of its only line. */
function ofCart(requests: readonly ItemRequest[], tags: readonly Tag[], known: Known): readonly ItemRequest[] {
  const [only, ...others] = requests
  const hasLine = known.state === 'item' || (known.state === 'cart' && known.cart.length === 1)
  const isTakenOut = !only && hasLine && tags.some((tag) => is(tag, 'remove'))
  // `شيل`, `remove it`, where it is clear which line is meant.
  if (isTakenOut && tags.every((tag) => tag.type === 'filler' || is(tag, 'remove', 'want', 'no', 'thanks')))
    return [emptyRequest('remove', true)]
  if (!only || others.length > 0 || only.isExplicit || only.quantity === null || namesProduct(only)) return requests
  const isOfIt = tags.some((tag) => is(tag, 'want') && /(?:ها|ه|هم|eeha|eeh|ihom)$/.test(tag.text))
  const isSettled =
    settling.has(known.state) &&
    tags.some(
      (tag, i) => is(tag, 'want', 'only') || isCorrection(tags, i) || (tag.type === 'number' && isDenied(tags, i)),
    )
  const isSet = known.cart.length > 0 && known.productId === null && (isOfIt || isSettled)
  return isSet ? [{ ...only, change: 'set', isExplicit: true }] : requests
}

interface Context {
  text: string
  evidence: Evidence
  known: Known
  number: number | null
  address: AddressSlot | null
  name: string | null
}

/** Adds what the state expects: a bare number, an address, a name, a note. */
function withContext(
  found: readonly Candidate[],
  { text, evidence, known, number, address, name }: Context,
): Candidate[] {
  const all = [...found]
  const { state } = known
  const parts = Object.keys(address?.parts ?? {}).length
  const isSet = evidence.requests.some(({ isExplicit }) => isExplicit)
  if (number !== null && !isSet) {
    const isQuantity = state === 'quantity' && known.productId !== null
    all.push({ intent: isQuantity ? 'order' : 'number', weight: 90 })
  }
  if (state === 'address' && isAddressLike(text, evidence)) all.push({ intent: 'address', weight: 83 })
  else if (state === 'address' && isOfWay(evidence)) all.push({ intent: 'unknown', weight: 82.5 })
  else if (parts > 1) all.push({ intent: 'address', weight: 61 })
  else if (parts === 1 && evidence.unknown === 0)
    all.push({ intent: address?.parts.block === undefined ? 'address' : 'place', weight: 58.5 })
  if (name !== null) all.push({ intent: 'name', weight: state === 'name' ? OWNED : 60.5 })
  if (/^[0٠]$/.test(text.trim())) all.push({ intent: 'menu', weight: 95 })
  const best = new Map<IntentName, number>()
  for (const { intent, weight } of all) best.set(intent, Math.max(best.get(intent) ?? 0, weight))
  return [...best].map(([intent, weight]) => ({ intent, weight })).sort((a, b) => b.weight - a.weight)
}

/** Item requests with their products. The other side of an exchange takes the size of the first: `بدل هيرات بغيمة`. */
function resolved(shop: Shop, requests: readonly ItemRequest[], known: Known, isOfLast: boolean): Item[] {
  const from = requests.find(({ swap }) => swap === 'from')
  const [fromId, ...others] = from ? productsFor(shop, from, known, isOfLast) : []
  const product = fromId === undefined || others.length > 0 ? undefined : shop.products.get(fromId)
  return requests.map((request) => {
    const isBare =
      request.swap === 'to' && request.size === null && request.relative === null && request.kinds.length === 0
    const filled = isBare && product ? { ...request, size: sizeKey(product.size) } : request
    const full =
      isOfLast && !request.isExplicit && request.change === 'add' ? { ...filled, change: 'set' as const } : filled
    const productIds = productsFor(shop, full, known, isOfLast)
    const only = productIds.length === 1 ? shop.products.get(productIds[0] ?? 0) : undefined
    return { ...full, vendorId: full.vendorId ?? only?.vendorId ?? null, productIds }
  })
}

function confidenceOf(first: Candidate | undefined, { unknown, requests, tags }: Evidence, isTie: boolean): number {
  if (!first) return 0
  const isTwoPlaces = tags.filter(({ type }) => type === 'area').length > 1 && first.intent === 'order'
  const isLoose = requests.length > 0 && !requests.some(namesProduct)
  const doubt = unknown * 0.07 + (isTie ? 0.3 : 0) + (isTwoPlaces ? 0.6 : 0) + (isLoose ? 0.05 : 0)
  return Math.max(0, Math.min(1, Math.max(0.7, first.weight / 70) - doubt))
}
