import { slotWords } from '@qatra/contract/calendar/slot'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney } from '@qatra/contract/lib/money'
import { addressText, customerName, instructionsText, isolated, personName } from '@qatra/contract/lib/text'
import { blockDoubt } from '@qatra/contract/places/block-hundreds'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import { areaAt, vendorsServing } from '../../../areas/queries.ts'
import type { CatalogueArea } from '../../../areas/snapshot.ts'
import { promisedSlotFor } from '../../../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../../../vendors/snapshot.ts'
import { isFree, remember } from '../memory.ts'
import { callPerson } from '../person.ts'
import {
  type Choice,
  enter,
  list,
  type Next,
  offer,
  paged,
  replyText,
  requestLocation,
  say,
  type TurnContext,
} from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { noAddress } from './addresses.ts'
import { type FoundPlace, isWholeName, placesOf, searchPlaces } from './places.ts'

/** The vendor of the order: the one chosen last, else the cart's. */
export const chosenVendor = ({ memory, cart, facts }: TurnContext): CatalogueVendor | null => {
  const vendor = facts.catalogue.vendors.get(memory.vendorId ?? cart.vendorId ?? 0)
  return vendor?.isActive ? vendor : null
}

export const areaOf = ({ memory, facts }: TurnContext): CatalogueArea | null =>
  memory.point ? areaAt(facts.catalogue, memory.point) : null

export const serves = (vendor: CatalogueVendor, area: CatalogueArea) => vendor.areaIds.has(area.id)

/** A pin or chosen place: its area decides which vendors deliver. */
export function takePoint(turn: TurnContext, point: Coordinates, source: PinSource): Next {
  const { memory, facts, cart } = turn
  const area = isChosen(point) ? areaAt(facts.catalogue, point) : null
  if (!area) {
    enter(turn, 'place')
    requestLocation(turn, say(turn, 'bot.place.outside'))
    return 'answered'
  }
  const isSame = memory.point?.lat === point.lat && memory.point.lng === point.lng
  // An address written before any place was known belongs to this place.
  if (memory.point && !isSame) remember(memory, noAddress)
  memory.point = { lat: point.lat, lng: point.lng }
  memory.pinSource = source
  replyText(turn, say(turn, 'bot.place.taken', { area: nameIn(memory.language, area) }))
  pointOutBlock(turn)
  return memory.productId !== null || cart.items.length === 0 ? 'advance' : 'checkout'
}

/** How the pin of a place that was named is set. */
export const sourceOf = ({ id }: FoundPlace): PinSource => (id.startsWith('area:') ? 'area' : 'search')

/** Name of an area, block or landmark. Part of a name is no name: the place is asked about. */
export function handlePlace(turn: TurnContext): Next {
  const { memory, meaning, facts } = turn
  const { place, unknown } = meaning.slots
  const found = place === null ? searchPlaces(facts.catalogue, unknown) : placesOf(facts.catalogue, place)
  const [only] = found
  if (!only) return 'lost'
  if (found.length === 1 && (place !== null || isWholeName(only, unknown))) return takePlace(turn, only)
  const rows = found.map(({ id, area, ...place }): Choice => {
    const name = nameIn(memory.language, place)
    const areaName = nameIn(memory.language, area)
    return name === areaName ? [id, name] : [id, name, areaName]
  })
  enter(turn, 'place')
  list(turn, say(turn, 'bot.place.which'), rows)
  return 'answered'
}

/** A named place, and what the message says of the address there: `Juffair flat 3`. */
export function takePlace(turn: TurnContext, place: FoundPlace): Next {
  const { meaning, memory } = turn
  const next = takePoint(turn, place.point, sourceOf(place))
  const written = addressText.safeParse(meaning.text.replace(/\s+/g, ' '))
  const parts = partsIn(turn)
  if (!memory.point || !parts || !written.success) return next
  const isWhole = isFindable(parts)
  remember(memory, {
    address: isWhole ? written.data : null,
    addressParts: parts,
    addressStart: isWhole ? null : written.data,
    addressId: null,
  })
  pointOutBlock(turn)
  return next
}

/** Two of these lead a driver to the door; a flat alone does not. */
const isFindable = ({ block, road, building }: AddressParts) =>
  [block, road, building].filter((part) => part !== undefined).length > 1

/** Says that the vendor does not deliver there, and which vendors do. */
export function explainNotServed(turn: TurnContext, vendor: CatalogueVendor, area: CatalogueArea): void {
  const { language } = turn.memory
  replyText(turn, say(turn, 'bot.vendor.notHere', { vendor: nameIn(language, vendor), area: nameIn(language, area) }))
}

export function showVendors(turn: TurnContext, page = 0): Next {
  const { memory, facts } = turn
  const area = areaOf(turn)
  if (!area) return 'place'
  const { language } = memory
  const vendors = vendorsServing(facts.catalogue, area.id)
  if (vendors.length === 0) {
    remember(memory, { point: null, ...noAddress })
    enter(turn, 'place')
    requestLocation(turn, say(turn, 'bot.vendor.none', { area: nameIn(language, area) }))
    return 'answered'
  }
  enter(turn, 'vendor')
  const rows = vendors.map((vendor): Choice => {
    const fee = vendor.deliveryFee === 0 ? say(turn, 'bot.free') : formatMoney(vendor.deliveryFee, language)
    const minimum = formatMoney(vendor.minDeliveryAmount, language)
    const day = slotWords(promisedSlotFor(facts.catalogue, vendor, facts.now), language, 'short')
    return [`vendor:${vendor.id}`, nameIn(language, vendor), say(turn, 'bot.vendor.terms', { fee, minimum, day })]
  })
  list(
    turn,
    say(turn, 'bot.vendor.ask', { area: nameIn(language, area) }),
    paged(turn, rows, page, (next) => `page:vendor:${next}`),
  )
  return 'answered'
}

export function askAddress(turn: TurnContext): Next {
  const area = areaOf(turn)
  if (!area) return 'place'
  enter(turn, 'address')
  replyText(turn, say(turn, 'bot.address.ask', { area: nameIn(turn.memory.language, area) }))
  return 'answered'
}

const partsIn = ({ meaning }: TurnContext): AddressParts | null => {
  const parts = meaning.slots.address?.parts ?? {}
  return Object.keys(parts).length > 0 ? parts : null
}

/** Streets and numbers as written, after what was written before; adds the area's name to a short address. */
export function handleAddress(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const start = memory.addressStart
  const text = start === null ? meaning.text : say(turn, 'bot.address.join', { address: start, area: meaning.text })
  const area = areaOf(turn)
  const areaName = area ? nameIn(memory.language, area) : ''
  const typed = text.replace(/\s+/g, ' ')
  const isShort = text.length >= 4 && text.length < 20
  const whole = isShort ? say(turn, 'bot.address.join', { address: typed, area: areaName }) : text
  const parsed = addressText.safeParse(whole)
  if (!parsed.success || !/\p{N}|\p{L}{3}/u.test(text)) {
    replyText(turn, say(turn, text.length > 500 ? 'bot.address.tooLong' : 'bot.address.tooShort'))
    return 'answered'
  }
  const parts = start === null ? partsIn(turn) : { ...memory.addressParts, ...partsIn(turn) }
  remember(memory, { address: parsed.data, addressParts: parts, addressStart: null, addressId: null, isRefused: false })
  pointOutBlock(turn)
  return 'checkout'
}

/** Asks for a second look at a block that is unusual in the area. The address stays as written. */
function pointOutBlock(turn: TurnContext): void {
  const { memory } = turn
  const area = areaOf(turn)
  const block = memory.addressParts?.block
  const doubt = area && block ? blockDoubt(block, { areaCode: area.areaId, pinBlock: null }) : null
  if (!area || !block || !doubt || !('hundreds' in doubt)) return
  const hundreds = doubt.hundreds.join(' / ')
  replyText(turn, say(turn, 'bot.address.block', { area: nameIn(memory.language, area), hundreds, block }))
}

/** An address without being asked: whole, or a part of it in a named place. */
export function holdsAddress(turn: TurnContext): boolean {
  const parts = partsIn(turn)
  return parts !== null && (isFindable(parts) || placeNamed(turn) !== null)
}

/** The only place of that name. */
export function placeNamed({ meaning, facts }: TurnContext): FoundPlace | null {
  const [place, other] = meaning.slots.place === null ? [] : placesOf(facts.catalogue, meaning.slots.place)
  return place && !other ? place : null
}

/** Such an address: its imported block or its area gives the location, else the place that was chosen. */
export function handleFullAddress(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const place = placeNamed(turn)
  if (place) return takePlace(turn, place)
  const parsed = addressText.safeParse(meaning.text.replace(/\s+/g, ' '))
  const parts = partsIn(turn)
  if (!parsed.success || !parts) return 'lost'
  remember(memory, { address: parsed.data, addressParts: parts, addressStart: null, addressId: null })
  if (!memory.point) return 'place'
  pointOutBlock(turn)
  return memory.productId !== null || turn.cart.items.length === 0 ? 'advance' : 'checkout'
}

export function askNotes(turn: TurnContext): Next {
  enter(turn, 'notes')
  offer(turn, say(turn, 'bot.notes.ask'), [['skip', say(turn, 'bot.notes.skip')]])
  return 'answered'
}

export function handleNotes(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const parsed = instructionsText.safeParse(meaning.slots.note ?? meaning.text)
  if (!parsed.success || parsed.data === '') {
    replyText(turn, say(turn, 'bot.notes.refused'))
    return 'answered'
  }
  memory.notes = parsed.data
  memory.isNoted = true
  return 'checkout'
}

/** A note that was not asked for belongs to the order in the cart; without one a person reads it. */
export function* takeNote(turn: TurnContext): Conversation<Next> {
  const { memory, cart } = turn
  if (cart.items.length === 0) return yield* callPerson(turn)
  const isOrdering = isFree(memory.state) || memory.state === 'confirm'
  if (handleNotes(turn) === 'answered') return 'answered'
  replyText(turn, say(turn, 'bot.notes.taken'))
  return isOrdering ? 'checkout' : 'cart'
}

export function skipNotes({ memory }: TurnContext): Next {
  memory.notes = null
  memory.isNoted = true
  return 'checkout'
}

const nameOf = (text: string | null, schema = personName(3)): string | null => {
  const parsed = text === null ? null : schema.safeParse(text)
  return parsed?.success ? parsed.data : null
}
/** Of a company too. */
const ofAccount = customerName(3)

/** Name on the order: given here, else the account's. */
export const nameFor = ({ memory, person }: TurnContext): string | null =>
  memory.name ?? nameOf(person.account?.name ?? null, ofAccount)

export function askName(turn: TurnContext): Next {
  enter(turn, 'name')
  const known = nameOf(turn.person.profileName)
  if (known === null) replyText(turn, say(turn, 'bot.name.ask'))
  else
    offer(turn, say(turn, 'bot.name.confirm', { name: isolated(known) }), [
      ['name:profile', say(turn, 'bot.name.right')],
    ])
  return 'answered'
}

export function takeProfileName(turn: TurnContext): Next {
  const name = nameOf(turn.person.profileName)
  if (name === null) return 'name'
  turn.memory.name = name
  return 'checkout'
}

/** Commands, questions and greetings are no name. What is written again is one. */
export function refuseName(turn: TurnContext): Next {
  turn.memory.isRefused = true
  replyText(turn, say(turn, 'bot.name.notName'))
  return 'answered'
}

/** Asks for more of an address once; after that it is taken as written. */
export function refuseAddress(turn: TurnContext): Next {
  turn.memory.isRefused = true
  replyText(turn, say(turn, 'bot.address.tooShort'))
  return 'answered'
}

export function handleName(turn: TurnContext): Next {
  const { intent, slots, text } = turn.meaning
  if (intent === 'yes') return takeProfileName(turn)
  if (intent === 'no') {
    replyText(turn, say(turn, 'bot.name.ask'))
    return 'answered'
  }
  const name = nameOf(slots.name ?? text)
  if (name === null) {
    replyText(turn, say(turn, 'bot.name.refused'))
    return 'answered'
  }
  turn.memory.name = name
  return 'checkout'
}
