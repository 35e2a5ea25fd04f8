import type { AnswerKey } from '@qatra/contract/whatsapp/bot'
import { stateTable } from '../dialogue/memory.ts'
import type { IntentName } from '../intent-table.ts'
import { type AddressSlot, addressIn } from './address.ts'
import { clausesOf } from './clauses.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { intentsOf } from './intents.ts'
import { namesProduct } from './item-request.ts'
import { itemRequestsIn } from './items.ts'
import { bareWords, namesOf, type Shop } from './names.ts'
import { tokenize } from './normalize.ts'
import { noteIn } from './notes.ts'
import { ofCart } from './of-cart.ts'
import { withPatterns } from './patterns.ts'
import { findPersonName } from './person-names.ts'
import type { Known } from './products.ts'
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
  const said = addressIn(tags, text)
  const isOfStreet = said !== null && tags.some((tag) => is(tag, 'road', 'block', 'building', 'flat', 'placeWord'))
  const requests = ofCart(read, bottles, { known, shop }).filter(
    // `the building is 21, not 12`
    (one) => !isOfStreet || namesProduct(one) || one.unit !== null || one.quantity === null,
  )
  const evidence = evidenceOf(tags, requests, { state: known.state, hasCart: known.cart.length > 0 })
  const number = numberAlone(tags)
  // `no, 2843` and `Exhibition avenue` are of an address where one is asked for.
  const hasParts = said !== null && Object.keys(said.parts).length > 0
  const isFixed = isOfStreet && said?.fix?.instead !== null && said?.fix !== null
  const address = hasParts || isFixed || ['address', 'notes', 'name'].includes(known.state) ? said : null
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
    clausesOf(tags).corrections.length > 0 ||
    tags.some(({ text }) => text === '\n')
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
