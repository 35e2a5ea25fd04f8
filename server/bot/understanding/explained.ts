import { fold } from '@qatra/contract/lib/text'
import { hasTrait, type IntentName } from '../intent-table.ts'
import { changeOf, isDenied } from './changes.ts'
import { clausesOf, isIntroduction, partsOf } from './clauses.ts'
import { isOrderedApart } from './conditions.ts'
import { dayLexemes, type Evidence, politeness } from './evidence.ts'
import { namesProduct } from './item-request.ts'
import { isOnly } from './items.ts'
import type { Item } from './resolving.ts'
import { is, type Tag, tagOf } from './tags.ts'
import { harmlessWords, type Lexeme, lexemesIn, pastWords, relativeWords, hedgingWords } from './vocabulary.ts'

/** What a reading did with the words. */
interface Read {
  evidence: Evidence
  items: readonly Item[]
  /** A word of change had nothing to change, such as the first of `delete everything and add 2`. */
  dropsChange: boolean
  /** A name, an address and a note, as written. */
  details: readonly (string | null | undefined)[]
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

const conditions =
  /^(?:if|اذا|لو|law|lo|itha|etha|ila|bshar6|بشرط|شرط|provided|depends|depending|assuming|subject|حسب|7asab|hasab|in case)$/
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
    /^(?:سم|sa?m)/.test(rest[0]?.text ?? '')
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
    return (hedgingWords.has(text) && tags[i - 1]?.text !== 'i') || (!isOfItems && relativeWords.has(text))
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

/** Where one begins, a deed that was said before is delayed, denied or taken back, unless goods follow it. */
function takesBack(tags: readonly Tag[], i: number): boolean {
  const [before, tag, next] = [tags[i - 1], tags[i], tags.slice(i + 1).find(({ type }) => type !== 'filler')]
  if (tag === undefined || conditions.test(before?.text ?? '')) return false
  if (is(tag, 'no'))
    // `and then confirm`, `no problem`, `no empties`
    return (
      !(tag.isJoined && isLater.test(tag.text)) &&
      !is(next, 'deposit', 'complain', 'change') &&
      !(next && ['area', 'landmark', 'address'].includes(next.type))
    )
  return (
    is(tag, 'wait', 'nevermind', 'cancel', 'stillNot', 'mistakeOfMine', 'correction') ||
    isForbidding(tags, i) ||
    (is(tag, 'want', 'bring', 'add', 'send') && isDenied(tags, i) && !is(next, 'more', 'otherWord', 'again2'))
  )
}
const isLater = /بعد|ba3d/

/** `2 cartons, wait not now`; `make it 6, no, 5` says what is meant instead. */
function endsTakenBack(tags: readonly Tag[]): boolean {
  const last = tags.findLastIndex((tag, i) => isCounted(tag) && !isDenied(tags, i))
  return last >= 0 && tags.some((_, i) => i > last && takesBack(tags, i))
}

/** `before you empty my cart`: not yet. `before you confirm, make it 5` is done now. */
const isPutOff = (tags: readonly Tag[]) =>
  tags.some((tag, i) => {
    const next = tags.slice(i + 1).find((one) => one.type !== 'filler' && !is(one, 'no'))
    return before.test(tag.text) && next !== undefined && (isOfChange(next) || is(next, 'empty', 'undo'))
  })
const before = /^(?:before|قبل|gab[ie]?l)$/

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

const ofDeeds = lexemesIn(
  'remove less add keepAt empty swap unsubscribe double halve reverse again same stop ads offer resubscribe undo back',
)
const isCounted = (tag: Tag) => ofPhrase(tag) || is(tag, ...ofDeeds)

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

/** A negation that is not of goods, as in `4 not 2`, `not the small one`, `I don't want the 200`, `not enough`. */
function isForbidding(tags: readonly Tag[], i: number): boolean {
  if (!is(tags[i], 'not') || changeOf(tags, i) === 'refuse' || conditions.test(tags[i - 1]?.text ?? '')) return false
  const next = tags.slice(i + 1).find((tag) => tag.type !== 'filler' && !is(tag, 'want', 'bring'))
  return !(
    next &&
    (ofPhrase(next) || isHarmless(next) || is(next, 'all', 'only', 'rest', 'again2', 'more', 'otherWord'))
  )
}

const hasOnly = (tags: readonly Tag[], lexemes: readonly Lexeme[]) =>
  tags.every((tag) => !isSaid(tag) || tag.type === 'question' || tag.type === 'word' || is(tag, ...lexemes))

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
  return !isDenied && !isQuestion && isOnly && part.filter(isStrange).length < 3
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

/** Words of a name, an address or a note mean nothing else. */
function withoutDetails(tags: readonly Tag[], details: Read['details']): readonly Tag[] {
  const words = new Set(details.flatMap((text) => fold(text ?? '').split(/[^\p{L}\p{N}]+/u)))
  return tags.map((tag) =>
    tag.type === 'word' && words.has(tag.text) ? tagOf('filler', tag.text, { isJoined: tag.isJoined }) : tag,
  )
}

/** Whether every word is accounted for by what was read: a deed is done at once only then. */
export function isExplained(intent: IntentName, { evidence, items, dropsChange, details }: Read): boolean {
  const { hasCart } = evidence
  const tags = withoutDetails(evidence.tags, details)
  const isOfItems = hasTrait(intent, 'items')
  const isConsent = intent === 'optOut' || intent === 'optIn'
  if (!isOfItems && !isConsent && !['undo', 'yes', 'checkout'].includes(intent)) return true
  const isAddition = !takesAway(items)
  if (isTelling(tags, { isOfItems, isAddition })) return false
  if (intent === 'yes' || intent === 'checkout') return true
  const parts = partsOf(tags)
  const ofDeeds = isConsent
    ? parts.filter((part) => !part.some((tag) => is(tag, 'order', 'myOrder', 'cart'))).flat()
    : tags
  if (endsTakenBack(ofDeeds) || isPutOff(tags)) return false
  if (isConsent) return parts.every(isConsentAlone) && !(intent === 'optOut' && isNoMessage(evidence))
  // What is asked for beside it needs no understanding.
  const isAside = (part: readonly Tag[]) => !part.some(isOfChange) && part.some(({ type }) => type === 'question')
  if (parts.some((part) => part.some(isStrange) && !isAside(part))) return false
  if (intent === 'clear' || intent === 'undo') {
    const words = intent === 'clear' ? ofCart : ofUndo
    return parts.every((part) => hasOnly(part, words) || !part.some(isOfChange))
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
  const { requests } = evidence
  // `I don't want the 200, give 500 double`: of the 500 nothing was read.
  const isLeftOut = (tag: Tag) =>
    (tag.type === 'size' && !requests.some(({ size }) => size === tag.value)) ||
    (tag.type === 'vendor' && !requests.some(({ vendorId }) => tag.ids.includes(vendorId ?? 0)))
  const isOfRest = corrections.length > 0 || evidence.any('keepAt') || tags.some(isOnly)
  if (!isOfRest && requests.length > 0 && tags.some(isLeftOut)) return false
  // Of which of several, `double` leaves open.
  if (items.length > 1 && evidence.any('double', 'halve')) return false
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
  if (!isExchange && ofDeed.some((part) => part.some((_, i) => isForbidding(part, i)))) return false
  const isRead = (tag: Tag) =>
    isOfGoods(tag) ||
    isIntroduction(tag) ||
    is(tag, 'not', 'cancel') ||
    before.test(tag.text) ||
    is(tag, 'wrong') ||
    (isKept && is(tag, 'all'))
  // `delete everything except one carton of it`
  const isOfAll = items.every((item) => item.change !== 'less' && !(item.quantity !== null && namesProduct(item)))
  if (!isAddition && evidence.any('all') && !isKept && !isOfAll) return false
  if (!isAddition)
    return ofDeed.every((part) => part.every((tag) => !isSaid(tag) || tag.type === 'question' || isRead(tag)))
  return ofDeed.every((part) =>
    part.every((tag) => tag.type !== 'lexeme' || isRead(tag) || isHarmless(tag) || is(tag, ...ofOrder)),
  )
}
