import { slotWords } from '@qatra/contract/calendar/slot'
import { westernDigits } from '@qatra/contract/lib/digits'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney } from '@qatra/contract/lib/money'
import { areasOfBlock } from '@qatra/contract/places/block-hundreds'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import { areaAt, vendorsServing } from '../../../areas/queries.ts'
import type { CatalogueArea } from '../../../areas/snapshot.ts'
import { promisedSlotFor } from '../../../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../../../vendors/snapshot.ts'
import { hasTrait } from '../../intent-table.ts'
import { isFindable } from '../../understanding/notes.ts'
import { addressOf } from '../../understanding/reading.ts'
import { isCheckingOut, remember } from '../memory.ts'
import {
  type Choice,
  enter,
  goOn,
  list,
  type Next,
  offer,
  paged,
  replyText,
  requestLocation,
  say,
  type TurnContext,
} from '../replies.ts'
import { noAddress } from './addresses.ts'
import { areaOf, type FoundPlace, isWholeName, placesOf, pointOf, searchPlaces } from './places.ts'
import {
  correctAddress,
  joinedAddress,
  missingIn,
  partsIn,
  partText,
  pointOutBlock,
  storeAddress,
} from './written-address.ts'

/** The named active vendor; null if none or several are named. */
export function namedVendor({ meaning, facts }: TurnContext): CatalogueVendor | null {
  const [only, ...others] = new Set(meaning.slots.items.flatMap(({ vendorId }) => vendorId ?? []))
  const vendor = others.length > 0 ? undefined : facts.catalogue.vendors.get(only ?? 0)
  return vendor?.isActive ? vendor : null
}

/** The vendor of the order: the one chosen last, else the cart's. */
export const chosenVendor = ({ memory, cart, facts }: TurnContext): CatalogueVendor | null => {
  const vendor = facts.catalogue.vendors.get(memory.vendorId ?? cart.vendorId ?? 0)
  return vendor?.isActive ? vendor : null
}

export const serves = (vendor: CatalogueVendor, area: CatalogueArea) => vendor.areaIds.has(area.id)

const isSamePoint = (one: Coordinates | null, other: Coordinates) => one?.lat === other.lat && one.lng === other.lng

/** A pin or chosen place: its area decides which vendors deliver. */
export function takePoint(turn: TurnContext, point: Coordinates, source: PinSource): Next {
  const { memory, facts } = turn
  const area = isChosen(point) ? areaAt(facts.catalogue, point) : null
  if (!area) {
    return requestLocation(turn, say(turn, 'bot.place.outside'))
  }
  // The name of the area says less than a pin in it.
  const isSame = isSamePoint(memory.point, point) || (source === 'area' && areaOf(turn) === area)
  // An address written before any place was known belongs to this place.
  if (memory.point && !isSame) remember(memory, noAddress)
  if (!isSame) remember(memory, { point: { lat: point.lat, lng: point.lng }, pinSource: source })
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
  const written = partText(turn, 'block', String(block))
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
  const { address } = turn.meaning.slots
  const next = takePoint(turn, point, source)
  if (!turn.memory.point || !address || Object.keys(address.parts).length === 0) return next
  // Coordinates or a link between commas are taken out of the text.
  storeAddress(turn, { ...address, text: address.text.replace(/[ ,،]{1,5}$/u, '') })
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

/** `Juffair`, not at the question for a name. */
export function takeNamedPlace(turn: TurnContext): Next {
  const place = placeNamed(turn)
  return place === null ? 'lost' : takePlace(turn, place)
}

const MOST_WORDS_OF_PLACE = 4

/** Part of a place's name, before it was asked for. */
export const handlePlaceName = (turn: TurnContext): Next =>
  turn.meaning.text.split(/\s+/).length <= MOST_WORDS_OF_PLACE ? handlePlace(turn) : 'lost'

/** An address without being asked: whole, or a part of it in a place that is named or known. */
export function holdsAddress(turn: TurnContext): boolean {
  const parts = partsIn(turn)
  const isOfPlace = placeNamed(turn) !== null || (turn.memory.point !== null && turn.cart.items.length > 0)
  return parts !== null && (isFindable(parts) || isOfPlace)
}

/** An address that is said at the question for the place. */
export const takeWholeAddress = (turn: TurnContext): Next => (holdsAddress(turn) ? handleFullAddress(turn) : 'lost')

/** Such an address: its imported block or its area gives the location, else the place that was chosen. */
export function handleFullAddress(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const { address } = meaning.slots
  const place = placeNamed(turn)
  if (isCheckingOut(memory.state) && otherAreas(turn).length > 0) return askArea(turn)
  if (place) return takePlace(turn, place)
  if (!address || partsIn(turn) === null) return 'lost'
  storeAddress(turn, address)
  // Several areas share the name that was written.
  if (memory.point) return goOn(turn)
  const next = meaning.slots.place === null ? 'place' : handlePlace(turn)
  return next === 'lost' ? 'place' : next
}

/** An address that is not asked for; a part of one that is known already corrects it. */
export function takeAddressPart(turn: TurnContext): Next {
  const next = takeCorrection(turn)
  if (next !== 'lost') return next
  return holdsAddress(turn) ? handleFullAddress(turn) : turn.memory.address === null ? 'lost' : 'address'
}

/** `the block is 338`, of the address that is known. */
export function takeCorrection(turn: TurnContext): Next {
  const { address, memory } = { ...turn.meaning.slots, ...turn }
  if (memory.address === null || address === null) return 'lost'
  if (partsIn(turn) !== null && otherAreas(turn).length > 0)
    return isCheckingOut(memory.state) ? askArea(turn) : handleFullAddress(turn)
  return correctAddress(turn) ? 'checkout' : 'lost'
}

/** The areas that an address names, none of which is that of the place. */
function otherAreas(turn: TurnContext): CatalogueArea[] {
  const area = areaOf(turn)
  const ids = turn.meaning.slots.place?.areaIds ?? []
  return area && !ids.includes(area.id) ? ids.flatMap((id) => turn.facts.catalogue.areas.get(id) ?? []) : []
}

/** Keeps an address that names another area than the place, and asks which of both is meant. */
function askArea(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const { point, pinSource } = memory
  const area = areaOf(turn)
  const { address } = meaning.slots
  if (!point || !area || !address) return 'place'
  const areas = otherAreas(turn)
  memory.point = null
  storeAddress(turn, address)
  const named = (one: CatalogueArea) => nameIn(memory.language, one)
  enter(turn, 'place')
  return list(turn, say(turn, 'bot.address.whichArea', { named: named(areas[0] ?? area), area: named(area) }), [
    ...areas.map((one): Choice => [`area:${one.id}`, named(one)]),
    [`at:${point.lat},${point.lng},${pinSource ?? 'map'}`, named(area)],
  ])
}

/** Streets and numbers as written, after what was written before. What is still missing is asked for. */
export function handleAddress(turn: TurnContext): Next {
  const { memory, meaning, facts } = turn
  const { addressStart: start, isRefused } = memory
  const known = start === null ? null : addressOf(start, facts.catalogue)
  const missing = start === null ? [] : missingIn(known ?? { parts: {}, named: [] })
  const bare = /^\d{1,5} ?[a-z]?$/i.exec(westernDigits(meaning.text))?.[0]
  const [only, other] = missing
  if (bare !== undefined && only && other)
    return offer(
      turn,
      say(turn, 'bot.address.whichPart', { value: bare }),
      missing.map((name): Choice => [`part:${name}:${bare}`, partText(turn, name, bare)]),
    )
  if (bare !== undefined && !only) return replyText(turn, say(turn, 'bot.address.tooShort'))
  const said = bare !== undefined && only ? partText(turn, only, bare) : (meaning.slots.address?.text ?? meaning.text)
  return takeAddressText(turn, said.replace(/\s+/g, ' '), isRefused && start !== null)
}

/** @param isLast nothing more can be expected of the customer */
export function takeAddressText(turn: TurnContext, said: string, isLast: boolean): Next {
  const { memory, facts } = turn
  const { addressStart: start, isRefused } = memory
  const text = start === null ? said : joinedAddress(turn, [start, said])
  const read = addressOf(text, facts.catalogue) ?? { parts: {}, named: [], text }
  const count = Object.keys({ ...memory.addressParts, ...read.parts }).length
  const isMore = count > Object.keys(memory.addressParts ?? {}).length
  if (text.length > LONGEST_ADDRESS || !/\p{N}|\p{L}{3}/u.test(text))
    return replyText(turn, say(turn, text.length > LONGEST_ADDRESS ? 'bot.address.tooLong' : 'bot.address.tooShort'))
  if (otherAreas(turn).length > 0 && turn.meaning.slots.address) return askArea(turn)
  const isEnough = (isLast && !isMore) || (isRefused && start === null)
  if (!storeAddress(turn, { ...read, text: read.text }, isEnough)) return 'address'
  memory.isRefused = false
  return 'checkout'
}

const LONGEST_ADDRESS = 500

/** Asks for more of an address once; after that it is taken as written. */
export function refuseAddress(turn: TurnContext): Next {
  const { memory, meaning } = turn
  if (memory.isRefused || hasTrait(meaning.intent, 'view')) return 'lost'
  if ((meaning.slots.address?.named.length ?? 0) > 1) return handleAddress(turn)
  memory.isRefused = true
  return replyText(turn, say(turn, 'bot.address.tooShort'))
}
