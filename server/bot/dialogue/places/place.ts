import { slotWords } from '@qatra/contract/calendar/slot'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney } from '@qatra/contract/lib/money'
import { addressText } from '@qatra/contract/lib/text'
import { areasOfBlock, blockDoubt } from '@qatra/contract/places/block-hundreds'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import { partNames } from '@qatra/contract/users/address-parts'
import type { AddressParts } from '@qatra/contract/users/auth'
import { areaAt, vendorsServing } from '../../../areas/queries.ts'
import type { CatalogueArea } from '../../../areas/snapshot.ts'
import { promisedSlotFor } from '../../../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../../../vendors/snapshot.ts'
import { hasTrait } from '../../intent-table.ts'
import { isFindable } from '../../understanding/notes.ts'
import { remember } from '../memory.ts'
import {
  type Choice,
  enter,
  goOn,
  list,
  type Next,
  paged,
  replyText,
  requestLocation,
  say,
  type TurnContext,
} from '../replies.ts'
import { noAddress } from './addresses.ts'
import { type FoundPlace, isWholeName, placesOf, pointOf, searchPlaces } from './places.ts'

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
  const { memory, facts } = turn
  const area = isChosen(point) ? areaAt(facts.catalogue, point) : null
  if (!area) {
    return requestLocation(turn, say(turn, 'bot.place.outside'))
  }
  const isSame = memory.point?.lat === point.lat && memory.point.lng === point.lng
  // An address written before any place was known belongs to this place.
  if (memory.point && !isSame) remember(memory, noAddress)
  memory.point = { lat: point.lat, lng: point.lng }
  memory.pinSource = source
  replyText(turn, say(turn, 'bot.place.taken', { area: nameIn(memory.language, area) }))
  pointOutBlock(turn)
  return goOn(turn)
}

/** How the pin of a place that was named is set. */
export const sourceOf = ({ id }: FoundPlace): PinSource => (id.startsWith('area:') ? 'area' : 'search')

/** Name of an area, block or landmark. Part of a name is no name: the place is asked about. */
export function handlePlace(turn: TurnContext): Next {
  const { memory, meaning, facts } = turn
  const { place, unknown } = meaning.slots
  const found = place === null ? searchPlaces(facts.catalogue, unknown) : placesOf(facts.catalogue, place)
  const [only] = found
  if (!only) return place?.block ? showAreasOfBlock(turn, place.block) : 'lost'
  if (found.length === 1 && (place !== null || isWholeName(only, unknown))) return takePlace(turn, only)
  const rows = found.map(({ id, area, ...place }): Choice => {
    const name = nameIn(memory.language, place)
    const areaName = nameIn(memory.language, area)
    return name === areaName ? [id, name] : [id, name, areaName]
  })
  enter(turn, 'place')
  return list(turn, say(turn, 'bot.place.which'), rows)
}

/** Nobody publishes where the blocks are: the areas of their hundred are a choice. */
export function showAreasOfBlock(turn: TurnContext, block: number, page = 0): Next {
  const { memory, facts } = turn
  const areas = areasOfBlock(String(block), [...facts.catalogue.areas.values()]) ?? []
  if (areas.length === 0) return 'lost'
  const written = say(turn, 'bot.address.part.block', { value: String(block) })
  remember(memory, { point: null })
  if (memory.address === null)
    remember(memory, { ...noAddress, addressParts: { block: String(block) }, addressStart: written })
  const [only, ...others] = areas
  if (only && others.length === 0) return takePoint(turn, pointOf(facts.catalogue, only), 'area')
  enter(turn, 'place')
  const rows = areas.map((area): Choice => [`area:${area.id}`, nameIn(memory.language, area)])
  return list(
    turn,
    say(turn, 'bot.place.ofBlock', { block: String(block) }),
    paged(turn, rows, page, (next) => `page:block-${block}:${next}`),
  )
}

/** A named place, and what the message says of the address there: `Juffair flat 3`. */
export const takePlace = (turn: TurnContext, place: FoundPlace): Next =>
  takePointWithAddress(turn, place.point, sourceOf(place))

export function takePointWithAddress(turn: TurnContext, point: Coordinates, source: PinSource): Next {
  const { meaning, memory } = turn
  const next = takePoint(turn, point, source)
  // Coordinates or a link between commas are taken out of the text.
  const written = addressText.safeParse(meaning.text.replace(/\s+/g, ' ').replace(/[ ,،]{1,5}$/u, ''))
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
    return requestLocation(turn, say(turn, 'bot.vendor.none', { area: nameIn(language, area) }))
  }
  enter(turn, 'vendor')
  const rows = vendors.map((vendor): Choice => {
    const fee = vendor.deliveryFee === 0 ? say(turn, 'bot.free') : formatMoney(vendor.deliveryFee, language)
    const minimum = formatMoney(vendor.minDeliveryAmount, language)
    const day = slotWords(promisedSlotFor(facts.catalogue, vendor, facts.now), language, 'short')
    return [`vendor:${vendor.id}`, nameIn(language, vendor), say(turn, 'bot.vendor.terms', { fee, minimum, day })]
  })
  return list(
    turn,
    say(turn, 'bot.vendor.ask', { area: nameIn(language, area) }),
    paged(turn, rows, page, (next) => `page:vendor:${next}`),
  )
}

export function askAddress(turn: TurnContext): Next {
  const area = areaOf(turn)
  if (!area) return 'place'
  enter(turn, 'address')
  return replyText(turn, say(turn, 'bot.address.ask', { area: nameIn(turn.memory.language, area) }))
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
    return replyText(turn, say(turn, text.length > 500 ? 'bot.address.tooLong' : 'bot.address.tooShort'))
  }
  const parts = start === null ? partsIn(turn) : { ...memory.addressParts, ...partsIn(turn) }
  remember(memory, { address: parsed.data, addressParts: parts, addressStart: null, addressId: null, isRefused: false })
  pointOutBlock(turn)
  return 'checkout'
}

const ARABIC_ZERO = 0x0660

/** `road is 3811, not 3810`: the parts that are said take the place of those that were written. False if none does. */
export function correctAddress(turn: TurnContext): boolean {
  const { memory } = turn
  const { address, addressParts: before } = memory
  const said = Object.entries(partsIn(turn) ?? {})
  if (address === null || before === null || said.length === 0) return false
  let text = address
  for (const [name, value] of said) {
    const old = partNames.find((one) => one === name && before[one] !== undefined)
    if (old === undefined || value === undefined) return false
    const written = before[old]?.replace(
      /\d/g,
      (digit) => `[${digit}${String.fromCodePoint(ARABIC_ZERO + Number(digit))}]`,
    )
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${written ?? ''}(?![\\p{L}\\p{N}])`, 'u'), value)
  }
  const written = addressText.safeParse(text)
  if (!written.success || text === address) return false
  remember(memory, { address: written.data, addressParts: { ...before, ...partsIn(turn) }, addressId: null })
  pointOutBlock(turn)
  return true
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

/** `I am in Adliya, do you have gallons?`: where, before it is asked for. */
export function takeSaidPlace(turn: TurnContext): void {
  const place = turn.memory.point === null ? placeNamed(turn) : null
  if (place) takePoint(turn, place.point, sourceOf(place))
}

/** The only place of that name. */
export function placeNamed({ meaning, facts }: TurnContext): FoundPlace | null {
  const [place, other] = meaning.slots.place === null ? [] : placesOf(facts.catalogue, meaning.slots.place)
  return place && !other ? place : null
}

/** An address that is said at the question for the place. */
export const takeWholeAddress = (turn: TurnContext): Next => (holdsAddress(turn) ? handleFullAddress(turn) : 'lost')

/** An address that is not asked for; a part of one that is known already corrects it. */
export function takeAddressPart(turn: TurnContext): Next {
  if (correctAddress(turn)) return 'checkout'
  return holdsAddress(turn) ? handleFullAddress(turn) : turn.memory.address === null ? 'lost' : 'address'
}

/** `Juffair`, not at the question for a name. */
export function takeNamedPlace(turn: TurnContext): Next {
  const place = placeNamed(turn)
  return place === null ? 'lost' : takePlace(turn, place)
}

const MOST_WORDS_OF_PLACE = 4

/** Part of a place's name, before it was asked for. */
export const handlePlaceName = (turn: TurnContext): Next =>
  turn.meaning.text.split(/\s+/).length <= MOST_WORDS_OF_PLACE ? handlePlace(turn) : 'lost'

/** Such an address: its imported block or its area gives the location, else the place that was chosen. */
export function handleFullAddress(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const place = placeNamed(turn)
  if (place) return takePlace(turn, place)
  const parsed = addressText.safeParse(meaning.text.replace(/\s+/g, ' '))
  const parts = partsIn(turn)
  if (!parsed.success || !parts) return 'lost'
  remember(memory, { address: parsed.data, addressParts: parts, addressStart: null, addressId: null })
  // Several areas share the name that was written.
  if (!memory.point) {
    const next = meaning.slots.place === null ? 'place' : handlePlace(turn)
    return next === 'lost' ? 'place' : next
  }
  pointOutBlock(turn)
  return goOn(turn)
}

/** Asks for more of an address once; after that it is taken as written. */
export function refuseAddress(turn: TurnContext): Next {
  if (turn.memory.isRefused || hasTrait(turn.meaning.intent, 'view')) return 'lost'
  turn.memory.isRefused = true
  return replyText(turn, say(turn, 'bot.address.tooShort'))
}
