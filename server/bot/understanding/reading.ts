import type { AnswerKey } from '@qatra/contract/whatsapp/bot'
import { type State, stateTable } from '../dialogue/memory.ts'
import type { IntentName } from '../intent-table.ts'
import { type AddressSlot, addressIn } from './address.ts'
import { isDenied, keepsNamed } from './changes.ts'
import { isCorrection, takesBack } from './clauses.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { intentsOf } from './intents.ts'
import { emptyRequest, type ItemRequest, namesProduct } from './item-request.ts'
import { itemRequestsIn } from './items.ts'
import { bareWords, namesOf, type Shop } from './names.ts'
import { tokenize } from './normalize.ts'
import { noteIn } from './notes.ts'
import { withPatterns } from './patterns.ts'
import { findPersonName } from './person-names.ts'
import type { KnownOrder } from './products.ts'
import {
  isAddressLike,
  isNoPlace,
  isOfWay,
  numberAlone,
  type PlaceSlot,
  placeIn,
  rowsIn,
  withoutEmpties,
} from './slots.ts'
import { is, type Tag, tagOf, tagsOf } from './tags.ts'
import { topicsOf } from './topics.ts'
import { fillerWords, lexemesByPhrase } from './vocabulary.ts'

/** What the conversation knows; context for the words, never a filter. */
export interface Known extends KnownOrder {
  state: State
}

/** A text, and what it is read with. */
export interface Reading {
  text: string
  shop: Shop
  known: Known
}

/** What was found in a text, before it is decided what is meant. */
export interface Found {
  tags: readonly Tag[]
  evidence: Evidence
  place: PlaceSlot | null
  address: AddressSlot | null
  number: number | null
  name: string | null
  note: string | null
  hasNoEmpties: boolean
  said: ReadonlySet<IntentName>
  owned: IntentName | null
  /** Questions to the shop that the words ask. */
  topics: readonly AnswerKey[]
  /** A word of change had nothing to change. */
  dropsChange: boolean
}

export function tagsIn(text: string, shop: Shop): Tag[] {
  const names = namesOf(shop)
  const isWord = (word: string) => lexemesByPhrase.has(word) || fillerWords.has(word)
  const isKnown = (word: string) => isWord(word) || names.byName.has(bareWords(word).join(' '))
  return tagsOf(tokenize(text, isKnown), names)
}

/** What a text says of an address. */
export const addressOf = (text: string, shop: Shop): AddressSlot | null =>
  addressIn(withPatterns(tagsIn(text, shop), shop), text)

export function foundIn(raw: readonly Tag[], { text, shop, known }: Reading): Found {
  const all = withPatterns(raw, shop)
  const place = placeIn(all, shop, known.state)
  const tags = all.map((tag) => (isNoPlace(tag, place) ? tagOf('word', tag.text, { isJoined: tag.isJoined }) : tag))
  const bottles = withoutEmpties(tags)
  const { requests: read, dropsChange } = itemRequestsIn(bottles)
  const requests = ofCart(read, bottles, known)
  const evidence = evidenceOf(tags, requests, { state: known.state, hasCart: known.cart.length > 0 })
  const number = numberAlone(tags)
  const said = addressIn(tags, text)
  // `no, 2843` and `Exhibition avenue` are of an address where one is asked for.
  const hasParts = said !== null && Object.keys(said.parts).length > 0
  const address = hasParts || ['address', 'notes', 'name'].includes(known.state) ? said : null
  const name = findPersonName(text, evidence)
  const note = noteIn(text, evidence)
  const context = { text, evidence, known, number, address, name }
  const intents = withContext(intentsOf(evidence, text), context)
  const owned = ownedBy(intents, context)
  return {
    tags,
    evidence,
    hasNoEmpties: bottles !== tags,
    place,
    address,
    number,
    name,
    note,
    said: intents,
    owned,
    topics: topicsOf(evidence),
    dropsChange,
  }
}

const settling: ReadonlySet<State> = new Set(['cart', 'confirm', 'item'])

/** `ابيها 5`, `لا ابي 5`, `just 2, not 4` after the cart was shown: the number is the quantity of its only line. */
function ofCart(requests: readonly ItemRequest[], tags: readonly Tag[], known: Known): readonly ItemRequest[] {
  const [only, ...others] = requests
  const [line, ...moreLines] = known.cart
  // `ضبلها`, `half of that`: of the only line, before anything else.
  const factor = tags.some((tag) => is(tag, 'double')) ? 2 : tags.some((tag) => is(tag, 'halve')) ? 0.5 : 1
  if (line && moreLines.length === 0 && factor !== 1)
    return [{ ...emptyRequest('set', true), quantity: line.quantity * factor }, ...requests]
  // `كرتونين وثلاث`, `two or three`: which?
  const isEither = requests.length > 1 && known.state === 'quantity' && !requests.some(namesProduct)
  if (only && isEither && requests.every(({ change, isExplicit }) => change === 'add' && !isExplicit))
    return [{ ...only, quantity: null, unit: null }]
  if (takesBack(tags)) return []
  if (line && keepsNamed(requests, tags)) return requests.map((one) => ({ ...one, change: 'keep', isExplicit: true }))
  // `the other way round`, of two lines
  if (!only && moreLines.length === 1 && tags.some((tag) => is(tag, 'reverse')))
    return known.cart.map(({ productId }, i) => ({
      ...emptyRequest('set', true),
      productId,
      quantity: known.cart[1 - i]?.quantity ?? null,
    }))
  const ofLines = known.cart.length > 1 ? ofSeveralLines(requests, tags, known) : null
  if (ofLines) return ofLines
  const isMeant =
    only && others.length === 0 && only.change !== 'remove' && only.quantity === null && namesProduct(only)
  const hasOne = line !== undefined && moreLines.length === 0
  // `sorry, I meant the 600`, `no, 330`: in the place of the only line.
  const isCorrected = tags.some(
    (tag, i) => is(tag, 'correction', 'mistakeOfMine', 'wrong') || (i === 0 && isCorrection(tags, i)),
  )
  const [refused, meant] = only?.change === 'refuse' ? requests : requests.toReversed()
  // `not 500, 330`
  const isOther =
    requests.length === 2 && refused?.change === 'refuse' && meant?.change === 'add' && meant.quantity === null
  if (hasOne && isOther && settling.has(known.state) && namesProduct(refused) && namesProduct(meant))
    return [
      { ...refused, change: 'remove', isExplicit: true, swap: 'from' },
      { ...meant, isExplicit: true, swap: 'to' },
    ]
  if (hasOne && isMeant && isCorrected)
    return [
      { ...emptyRequest('remove', true), swap: 'from' },
      { ...only, change: 'add', isExplicit: true, swap: 'to' },
    ]
  const isOfTurn = line === undefined || tags.some(({ text }) => text === '\n')
  if (isOfTurn && requests.length > 1) return withoutChanges(requests, line !== undefined)
  const hasLine = known.state === 'item' || (known.state === 'cart' && (hasOne || tags.some(isOfThat)))
  const isTakenOut = !only && hasLine && isOut(tags)
  // `شيل`, `remove it`, `no, don't add it`: the line that is open, the only one, or the one that was added last.
  if (isTakenOut && tags.every((tag) => tag.type === 'filler' || is(tag, ...outWords)))
    return [emptyRequest('remove', true)]
  if (!only || others.length > 0 || only.isExplicit || only.quantity === null || namesProduct(only)) return requests
  const isOfIt = tags.some((tag) => is(tag, 'want') && /(?:ها|ه|هم|eeha|eeh|ihom)$/.test(tag.text))
  // A number among words that mean nothing changes nothing.
  const isSettled =
    settling.has(known.state) &&
    tags.filter(({ type }) => type === 'word').length < 2 &&
    tags.some(
      (tag, i) =>
        is(tag, 'want', 'only', 'change') || isCorrection(tags, i) || (tag.type === 'number' && isDenied(tags, i)),
    )
  const isSet = known.cart.length > 0 && known.productId === null && (isOfIt || isSettled)
  return isSet ? [{ ...only, change: 'set', isExplicit: true }] : requests
}

/** What is said of several lines of the cart, which adds nothing. */
function ofSeveralLines(
  requests: readonly ItemRequest[],
  tags: readonly Tag[],
  { state }: Known,
): readonly ItemRequest[] | null {
  const [only, ...others] = requests
  if (!only || requests.some(({ quantity }) => quantity === null)) return null
  // `make everything 3`, `everything to 3`
  const isOfAll = others.length === 0 && (only.change === 'set' || !only.isExplicit) && !namesProduct(only)
  if (isOfAll && tags.some((tag) => is(tag, 'all', 'each'))) return [{ ...only, change: 'set', isExplicit: true }]
  // `the other way round! 4 of the small one and 2 of the large`
  const isReversed = tags.some((tag) => is(tag, 'reverse')) && requests.every(namesProduct)
  const isCorrected =
    settling.has(state) && isCorrection(tags, 0) && requests.every(({ relative }) => relative !== null)
  const isOfLines =
    (isReversed || isCorrected) && requests.every(({ change, isExplicit }) => change === 'add' && !isExplicit)
  return isOfLines ? requests.map((request) => ({ ...request, change: 'set' as const, isExplicit: true })) : null
}

const outWords = ['remove', 'add', 'nevermind', 'want', 'no', 'not', 'wait', 'thanks'] as const
const isOfThat = (tag: Tag) =>
  /(?:^| )(?:it|them|that)$/.test(tag.text) || (is(tag, 'remove', 'add') && /(?:ه|ها|هم|ha)$/.test(tag.text))
/** A word of taking out, or one of adding that is denied. */
const isOut = (tags: readonly Tag[]) =>
  tags.some((tag, i) => is(tag, 'remove') || (is(tag, 'add') && isDenied(tags, i)))

/** `2 gallons … make it 4`, `… cancel the gallons`: the change is one of a request before it, which is not in the cart yet. */
function withoutChanges(requests: readonly ItemRequest[], hasCart: boolean): readonly ItemRequest[] {
  const [from, to] = ['from', 'to'].map((side) => requests.find(({ swap }) => swap === side))
  // `Ghaima … half litre … 3 … no, Hayrat instead of Ghaima`
  if (from && to && !hasCart && namesProduct(from) && requests.some((one) => one.swap === null && isPartOf(from, one)))
    return requests.flatMap((one) => {
      if (one.swap !== null) return []
      const isLeft = (one.vendorId ?? from.vendorId) !== from.vendorId || !isPartOf(from, one)
      return isLeft ? one : { ...one, vendorId: to.vendorId ?? one.vendorId, size: to.size ?? one.size }
    })
  if (from || to) return requests
  const kept: ItemRequest[] = []
  for (const request of requests) {
    const { change, quantity, isExplicit } = request
    const last = kept.findLast((one) => one.quantity !== null && one.change === 'add')
    const isOfLast = isExplicit && quantity !== null && !namesProduct(request)
    const isOut = change === 'remove' || change === 'refuse'
    const taken = isOut ? kept.findLast((one) => one.change === 'add' && isSameItem(request, one)) : undefined
    if (last && isOfLast && change === 'set') last.quantity = quantity
    else if (last && isOfLast && change === 'add' && !hasCart) last.quantity = (last.quantity ?? 0) + quantity
    else if (last && isOfLast && change === 'less' && !hasCart)
      last.quantity = Math.max(0, (last.quantity ?? 0) - quantity)
    else if (taken) kept.splice(kept.indexOf(taken), 1)
    // `make it 200 ml`
    else if (last && change === 'set' && quantity === null && request.size !== null && !hasCart)
      last.size = request.size
    else kept.push({ ...request })
  }
  return kept
}

/** Whether what is taken out is the item that was requested before. */
const isSameItem = (out: ItemRequest, item: ItemRequest) =>
  namesProduct(out) &&
  (out.vendorId ?? item.vendorId) === item.vendorId &&
  (out.size ?? item.size) === item.size &&
  out.kinds.every((kind) => item.kinds.includes(kind))

/** Whether all that the first says is said by the second. */
const isPartOf = (part: ItemRequest, whole: ItemRequest) =>
  (part.vendorId === null || part.vendorId === whole.vendorId) && (part.size === null || part.size === whole.size)

interface Context {
  text: string
  evidence: Evidence
  known: Known
  number: number | null
  address: AddressSlot | null
  name: string | null
}

const isSet = ({ requests }: Evidence) => requests.some(({ isExplicit }) => isExplicit)

/** Adds what the details speak for: an address, a name. */
function withContext(
  found: ReadonlySet<IntentName>,
  { text, evidence, known, address, name }: Context,
): Set<IntentName> {
  const all = new Set(found)
  const parts = Object.keys(address?.parts ?? {}).length
  // `same as last time, but to road 1805, building 99`
  if (parts > 1) all.delete('sameAddress')
  if (known.state === 'address' ? isAddressLike(text, evidence) : parts > 1) all.add('address')
  else if (known.state === 'address' && isOfWay(evidence)) return new Set()
  else if (parts === 1 && evidence.unknown === 0) all.add(address?.parts.block === undefined ? 'address' : 'place')
  if (name !== null) all.add('name')
  return all
}

/** Words that no question owns. */
const urgent = ['optOut', 'optIn', 'trouble', 'person', 'callMe', 'cancelOrder'] as const

/** The open question owns an answer that fits it: the name, a number, streets and numbers. */
function ownedBy(said: ReadonlySet<IntentName>, { text, evidence, known, number, name }: Context): IntentName | null {
  const { state } = known
  if (/^[0٠]$/.test(text.trim())) return 'menu'
  if (state === 'name' && name !== null) return 'name'
  // Whoever asks in so many words gets no more offers, whatever else is asked.
  if (said.has('optOut')) return 'optOut'
  if (urgent.some((intent) => said.has(intent))) return null
  if (state === 'confirm' && said.has('yes') && !said.has('no')) return 'yes'
  const [request, ...others] = evidence.requests
  const { tags } = evidence
  // `three or four`: which?
  const isOne =
    tags.filter(({ type, isOrdinal }) => type === 'number' && !isOrdinal).length < 2 ||
    tags.some((tag, i) => isCorrection(tags, i) || tag.text === '\n')
  const isCount =
    request &&
    others.length === 0 &&
    request.quantity !== null &&
    !namesProduct(request) &&
    isOne &&
    evidence.unknown === 0
  if (stateTable[state].isList && rowsIn(tags).length > 0 && !tags.some((tag) => is(tag, 'no'))) return 'number'
  const isOfIt = request?.change === 'add' || request?.change === 'set'
  if (state === 'quantity' && known.productId !== null && isCount && isOfIt && !evidence.isQuestion) return 'order'
  if (number !== null && !isSet(evidence)) return state === 'quantity' && known.productId !== null ? 'order' : 'number'
  return state === 'address' && said.has('address') ? 'address' : null
}
