import { hasTrait, type IntentName } from '../intent-table.ts'
import { changeOf } from './changes.ts'
import { clausesOf, isIntroduction } from './clauses.ts'
import { isOrderedApart } from './conditions.ts'
import { dayLexemes, type Evidence, politeness } from './evidence.ts'
import { namesProduct } from './item-request.ts'
import { articles } from './names.ts'
import type { Item } from './resolving.ts'
import { is, type Tag } from './tags.ts'
import { harmlessWords, type Lexeme, lexemesIn, pastWords, relativeWords, tellingWords } from './vocabulary.ts'

/** What a reading did with the words. */
interface Read {
  evidence: Evidence
  items: readonly Item[]
  /** A word of change had nothing to change, such as the first of `delete everything and add 2`. */
  dropsChange: boolean
}

const polite = politeness.join(' ')
/** Names, sizes and units of goods, and what is said beside them. */
const ofGoods = lexemesIn(
  `${polite} pack packs twoPacks bottle bottles twoBottles gallon gallons twoGallons dozen small large sizeWord waterWord half third quarter andAHalf litre
  millilitre newWord cart again2 otherWord more fromPlace rest each whether but add less remove without keepAt swap change reverse double halve`,
)
/** Said beside an order: where to, when, and what is asked. */
const ofOrder = lexemesIn(
  `${dayLexemes.join(' ')} deliver placeWord building block road flat floor officeWord gate nameWord handover noteWord phoneWord week when fee payMeans
  howMuch howMany have company no wait not praise what all minimum deposit mine brands product offer same payWord cancel stillNot skip help only
  accessory laugh invoice again`,
)
/** Words of deeds that goods are not changed by. */
const ofOthers = lexemesIn('cancel undo empty reschedule complain')
const ofCart = lexemesIn(`${polite} empty remove less cancel cart all done menu fromPlace correction`)
const ofConsent = lexemesIn(
  `${polite} ads offer stop unsubscribe resubscribe resume anew subscription phoneWord complain no not cancel less remove without again again2 whether
  back fromPlace have menu howMuch person callMe numberWord change today time mine correction more why laugh`,
)
const ofConsentAndOrder = [...ofConsent, ...lexemesIn('keepAt but nevermind')]
const ofUndo = lexemesIn(`${polite} undo back cancel no wait mistakeOfMine wrong correction cart`)
const questionWords = lexemesIn('howMuch howMany fee what when how why where who minimum')
/** Words without which `no message` is a complaint that none came. */
const ofStops = lexemesIn('offer stop unsubscribe send want cancel remove without less anew complain')

const conditions = /^(?:if|اذا|لو|law|lo|itha|etha)$/
const jests = /kid|jok|^jk$|wrong|غلط|مزح|غشمر|amza|ghala|ghashmar/u
const isJest = (tag: Tag) => (is(tag, 'laugh') ? /\p{L}/u.test(tag.text) : is(tag, 'nevermind') && jests.test(tag.text))

/** `if you have it`, `لو سمحت`, `itha mumkin`: polite, and no condition. */
function isPolitely(rest: readonly Tag[], isAddition: boolean): boolean {
  const end = rest.findIndex(({ type }) => type === 'separator')
  const next = rest.slice(0, end < 0 ? rest.length : end).find(({ type }) => type !== 'filler')
  const isSoftened = is(next, 'want') && /^(?:can|could|may|ممكن|m[ou]?mkin)/.test(next?.text ?? '')
  return (
    next === undefined ||
    isSoftened ||
    is(next, 'have', 'whether') ||
    // `if not, 2 cartons of Hayrat`
    (isAddition && is(next, 'no', 'not')) ||
    /^(?:سمح|sama?7|sm7)/.test(rest[0]?.text ?? '')
  )
}

/** Whether it is reported, supposed or in jest, in words of its own: `my friend said add 2`, `add 50 lol`. */
function isTelling(
  tags: readonly Tag[],
  { isOfItems, isAddition }: { isOfItems: boolean; isAddition: boolean },
): boolean {
  const [correction] = isOfItems ? clausesOf(tags).corrections : []
  return tags.some((tag, i) => {
    const { type, text } = tag
    if (type === 'separator') return false
    // `haha ok, add 2`; `100 cartons, haha kidding, 2`
    if (isJest(tag)) return i > 0 && !(correction !== undefined && tags.slice(0, i).some(isOfChange))
    if (conditions.test(text)) return !isPolitely(tags.slice(i + 1), isAddition)
    // A customer stops offers for themselves: `I told you`
    return (tellingWords.has(text) && tags[i - 1]?.text !== 'i') || (!isOfItems && relativeWords.has(text))
  })
}

const inverted = /^(?:do|does|did|is|are|was|has|am)$/

/** A question about a deed, not a request for it: `delivery charge for 3 cartons?`, but not `can you add 3?`. */
function isAsking(part: readonly Tag[], isAddition: boolean): boolean {
  if (part.some((tag) => is(tag, 'want', 'bring'))) return false
  const isMarked = part.some(({ type }) => type === 'question')
  const isRequest = part.some((tag) => (is(tag, 'whether') && tag.text !== 'هل') || (isAddition && is(tag, 'add')))
  const isOfOffer = isAddition && part.some((tag) => is(tag, 'whether')) && part.some((tag) => is(tag, 'offer'))
  return (
    part.some((tag) => is(tag, ...questionWords)) ||
    isOfOffer ||
    inverted.test(part[0]?.text ?? '') ||
    (isMarked && !isRequest)
  )
}

const isHarmless = ({ text }: Tag) => harmlessWords.has(text)
const isStrange = (tag: Tag) => tag.type === 'word' && !isHarmless(tag)
const isSaid = ({ type }: Tag) => type !== 'filler' && type !== 'separator'
const counts = lexemesIn(
  'pack packs twoPacks bottle bottles twoBottles gallon gallons twoGallons waterWord small large half litre',
)
const ofPhrase = (tag: Tag) =>
  ['vendor', 'product', 'size', 'number'].includes(tag.type) ||
  is(tag, ...counts) ||
  tag.lexemes.some((one) => one.startsWith('k:'))

const isOfGoods = (tag: Tag) => ofPhrase(tag) || is(tag, ...ofGoods) || isHarmless(tag)

const isOfChange = (tag: Tag) => isOfGoods(tag) && !isHarmless(tag) && !is(tag, ...politeness, 'cart', 'whether', 'but')

/** `make it 6, sorry 5`, `no, replace it with 330`, `add 2, no, 3 more`: a correction that does nothing else. */
const isPlainCorrection = (clause: readonly Tag[], isAddition: boolean) =>
  clause.every((tag, i) => {
    const change = changeOf(clause, i)
    const isDenial = change === null || change === 'refuse'
    if (is(tag, 'not')) return isAddition && isDenial && !isForbidding(clause, i)
    return !isSaid(tag) || (isOfGoods(tag) && (change === null || (isAddition && change === 'add')))
  })

/** `500 one` counts, or is a pronoun. */
const isEitherOne = (tags: readonly Tag[], i: number) =>
  tags[i]?.text === 'one' &&
  tags[i - 1]?.type === 'size' &&
  tags[i - 2]?.text !== 'the' &&
  !is(tags[i + 1], 'pack', 'gallon', 'bottle')

/** A negation that is not of goods, as in `4 not 2`, `not the small one`, `not enough`. */
function isForbidding(tags: readonly Tag[], i: number): boolean {
  const next = tags.slice(i + 1).find(({ type }) => type !== 'filler')
  return is(tags[i], 'not') && !(next && isOfGoods(next)) && changeOf(tags, i) !== 'refuse'
}

const hasOnly = (tags: readonly Tag[], lexemes: readonly Lexeme[]) =>
  tags.every((tag) => !isSaid(tag) || tag.type === 'question' || tag.type === 'word' || is(tag, ...lexemes))

/** `Mawja ghaziya 330`: words between those of one product, of which they can be a part. */
function isWithinGoods(tags: readonly Tag[], i: number): boolean {
  const isBeside = (beside: readonly Tag[]) => {
    const next = beside.find((tag) => !articles.has(tag.text) && !isStrange(tag))
    return next !== undefined && ofPhrase(next)
  }
  const tag = tags[i]
  return tag !== undefined && isStrange(tag) && isBeside(tags.slice(0, i).reverse()) && isBeside(tags.slice(i + 1))
}

/** Parts between commas, lines and conjunctions. */
function partsOf(tags: readonly Tag[]): Tag[][] {
  const parts: Tag[][] = [[]]
  for (const tag of tags) {
    if (tag.type === 'separator' || tag.isJoined) parts.push([])
    if (tag.type !== 'separator') parts.at(-1)?.push(tag)
    if (tag.type === 'question') parts.push([])
  }
  return parts
}

/** Words that mean nothing beside a stop of the offers; more may be about something else. */
const MOST_BESIDE_CONSENT = 2
const isPolite = ({ text }: Tag) =>
  /^(?:(?:can|could|will|would) (?:you|u)|ممكن.*|تقدر.*|m[ou]m?kin|pl[sz]+|please)$/.test(text)
const isStop = (tag: Tag) => is(tag, 'stop', 'unsubscribe', 'cancel')

/** A part that is about the offers asks for nothing else, and neither denies nor delays it. */
function isConsentAlone(part: readonly Tag[]): boolean {
  if (!part.some((tag) => isStop(tag) || is(tag, 'ads', 'offer', 'resubscribe'))) return true
  const isDenied = part.some(
    (tag, i) =>
      (is(tag, 'no', 'not') && part.slice(i + 1).some(isStop)) ||
      (is(tag, 'no') && /later|now|بعد|الحين|ba3d/.test(tag.text)),
  )
  const isQuestion =
    (part.some(({ type }) => type === 'question') || inverted.test(part[0]?.text ?? '')) && !part.some(isPolite)
  const isOfOrder = part.some((tag) => is(tag, 'cart', 'order', 'myOrder'))
  const isOnly = hasOnly(part, isOfOrder ? ofConsentAndOrder : ofConsent)
  return !isDenied && !isQuestion && isOnly && part.filter(isStrange).length <= MOST_BESIDE_CONSENT
}

/** `no message, no call`: none came, or none is wanted. */
const isNoMessage = ({ any, denied }: Evidence) => !any(...ofStops) && !denied('send', 'want', 'bring', 'offer')

/** Two changes of one line, or of a line without a name. */
function touchesTwice(items: readonly Item[]): boolean {
  const touched = items.flatMap(({ change, quantity, productIds: [id = 0, ...more], swap }) =>
    more.length > 0 || swap !== null || (id === 0 && change === 'add')
      ? []
      : [{ id, deed: `${id} ${change} ${quantity}` }],
  )
  // The same said twice is done once.
  return new Set(touched.map(({ id }) => id)).size < new Set(touched.map(({ deed }) => deed)).size
}

/** What is removed or set, which a wrong reading takes from the customer. */
const takesAway = (items: readonly Item[]): boolean =>
  items.some(({ change, swap }) => swap === 'from' || ['less', 'set', 'remove', 'keep'].includes(change))

/**
 * Whether every word is accounted for by what was read. A deed that takes something away is done at once only then; an
 * addition also beside words that mean nothing, unless they tell or suppose it.
 */
export function isExplained(intent: IntentName, { evidence, items, dropsChange }: Read): boolean {
  const { tags, hasCart } = evidence
  const isOfItems = hasTrait(intent, 'items')
  const isConsent = intent === 'optOut' || intent === 'optIn'
  if (!isOfItems && !isConsent && intent !== 'undo') return true
  const isAddition = !takesAway(items)
  if (isTelling(tags, { isOfItems, isAddition })) return false
  if (isConsent) return partsOf(tags).every(isConsentAlone) && !(intent === 'optOut' && isNoMessage(evidence))
  const parts = partsOf(tags)
  if (intent === 'clear' || intent === 'undo') {
    const words = intent === 'clear' ? ofCart : ofUndo
    return !tags.some(isStrange) && parts.every((part) => hasOnly(part, words) || !part.some(isOfChange))
  }
  if (intent === 'again') return true
  const { first, corrections } = clausesOf(tags)
  // What is corrected before anything is in the cart is all in the message.
  const denials = parts.slice(1).filter((part) => is(part.find(isSaid), 'not') && part.some(isOfChange))
  const isPlain =
    !hasCart ||
    !first.some(isOfChange) ||
    [...corrections, ...denials].every((one) => isPlainCorrection(one, isAddition))
  const isOther = tags.some((tag, i) => is(tag, ...ofOthers) && changeOf(tags, i) === null)
  if (dropsChange || !isPlain || isOther || touchesTwice(items) || tags.some((_, i) => isEitherOne(tags, i)))
    return false
  const isKept = evidence.requests.some(({ change }) => change === 'keep')
  const isExchange = ['from', 'to'].every((side) =>
    items.some(({ swap, productIds }) => swap === side && productIds.length === 1),
  )
  const ofDeed = parts.filter((part) => part.some(isOfChange))
  // `I had 4, make it 2`, but not `last time was great, add 2`
  if (ofDeed.some((part) => part.some(({ text }) => pastWords.has(text)))) return false
  // `how many are in a carton? Give me 2 of Hayrat 500`: the question is another part.
  const isApart = isAddition && isOrderedApart(evidence)
  if (!isApart && ofDeed.some((part) => isAsking(part, isAddition))) return false
  // `do 2 cartons fit in a car`: of what, the words leave open.
  if (isAddition && tags.some(isStrange) && !items.some(namesProduct)) return false
  if (!isExchange && ofDeed.some((part) => part.some((_, i) => isForbidding(part, i)))) return false
  const isRead = (tag: Tag) =>
    isOfGoods(tag) ||
    isIntroduction(tag) ||
    is(tag, 'not', 'cancel') ||
    /^(?:before|قبل|gab[ie]?l)$/.test(tag.text) ||
    is(tag, 'wrong') ||
    (isKept && is(tag, 'all'))
  // `delete everything except one carton of it`
  const isOfAll = items.every((item) => item.change !== 'less' && !(item.quantity !== null && namesProduct(item)))
  if (!isAddition && evidence.any('all') && !isKept && !isOfAll) return false
  if (!isAddition)
    return (
      !tags.some(isStrange) &&
      ofDeed.every((part) => part.every((tag) => !isSaid(tag) || tag.type === 'question' || isRead(tag)))
    )
  if (ofDeed.some((part) => part.some((_, i) => isWithinGoods(part, i)))) return false
  return ofDeed.every((part) =>
    part.every((tag) => tag.type !== 'lexeme' || isRead(tag) || isHarmless(tag) || is(tag, ...ofOrder)),
  )
}
