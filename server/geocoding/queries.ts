import { type Lang, nameIn } from '@qatra/contract/lib/lang'
import { fold } from '@qatra/contract/lib/text'
import { type Coordinates, distanceInMetres, formatCoordinates, isInBahrainBox } from '@qatra/contract/places/geo'
import type { Place } from '@qatra/contract/places/geocode'
import { areaAt } from '../areas/queries.ts'
import { findBlockAt } from '../blocks/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import { translatorFor } from '../lib/translate.ts'
import { placeOf, searchGazetteer } from './gazetteer.ts'
import type { Geocoder, Located } from './geocoder.ts'
import { type MapLinkReader, mapLinkIn, pointInLink } from './map-links.ts'
import type { GazetteerPlace } from './places.ts'
import { writtenPlaceIn } from './written-places.ts'

const MOST_PLACES = 5
const SHORTEST_TEXT = 3
/** Results within this distance are the same place. */
const SAME_PLACE_METRES = 60

const searcherOf = ({ actor, client }: Pick<Ctx, 'actor' | 'client'>) => ({ lang: actor.lang, ip: client.ip })

/** Coordinates, a plus code or a link to a map: that point with its address. Null if the text says none. */
export async function readExactPlace(
  ctx: Pick<Ctx, 'db' | 'actor' | 'client'>,
  { catalogue, geocoder, readLink }: { catalogue: Catalogue; geocoder: Geocoder | null; readLink: MapLinkReader },
  text: string,
): Promise<Place | null> {
  const link = mapLinkIn(text)
  const point = link ? (pointInLink(link.url) ?? (await readLink(link.url))) : writtenPlaceIn(text)?.point
  return point ? { ...(await readAddressOf(ctx, catalogue, geocoder, point)), isExact: true } : null
}

/**
 * At most five places: imported blocks and areas, then those of the geocoder, if one is configured, then landmarks,
 * whose positions are approximate.
 */
export async function searchPlaces(
  ctx: Pick<Ctx, 'actor' | 'client'>,
  catalogue: Catalogue,
  geocoder: Geocoder | null,
  text: string,
): Promise<Place[]> {
  const sought = fold(text)
  if (sought.length < SHORTEST_TEXT) return []
  const known = searchGazetteer(catalogue, sought, MOST_PLACES)
  const listed = known.map((place) => toPlace(catalogue, place, ctx.actor.lang))
  const exact = listed.filter((_, i) => known[i]?.kind !== 'landmark')
  if (!geocoder || exact.length >= MOST_PLACES) return listed
  const located = apartFrom(exact, (await geocoder.search(sought, searcherOf(ctx))).map(fromGeocoder))
  const landmarks = listed.filter((place) => !exact.includes(place))
  return [...exact, ...located, ...apartFrom(located, landmarks)].slice(0, MOST_PLACES)
}

const apartFrom = (known: readonly Place[], places: readonly Place[]): Place[] =>
  places.filter((place) => known.every((one) => distanceInMetres(one, place) > SAME_PLACE_METRES))

/** The imported block of a point, else what the geocoder knows, else its area, else its coordinates. */
export async function readAddressOf(
  ctx: Pick<Ctx, 'db' | 'actor' | 'client'>,
  catalogue: Catalogue,
  geocoder: Geocoder | null,
  point: Coordinates,
): Promise<Place> {
  const { lang } = ctx.actor
  const number = catalogue.blocks.size > 0 ? await findBlockAt(ctx, point) : null
  const block = number === null ? undefined : catalogue.blocks.get(number)
  if (block) return placeAt(point, nameIn(lang, placeOf(catalogue, block)), lang, block.number)
  const found = geocoder && isInBahrainBox(point) ? await geocoder.reverse(point, searcherOf(ctx)) : null
  if (found) return fromGeocoder({ ...found, ...point })
  const area = areaAt(catalogue, point)
  return area ? placeAt(point, nameIn(lang, area), lang) : fromGeocoder({ ...point, text: formatCoordinates(point) })
}

/** Appends the area to a landmark's name; names of blocks contain it. */
function toPlace(catalogue: Catalogue, place: GazetteerPlace, lang: Lang): Place {
  const name = nameIn(lang, place)
  const area = place.kind === 'landmark' ? areaAt(catalogue, place) : null
  const areaName = area && nameIn(lang, area)
  const hasAreaInName = areaName === null || fold(name).includes(fold(areaName))
  const whole = hasAreaInName ? name : translatorFor(lang)('places.within', { place: name, within: areaName })
  return placeAt(place, whole, lang, place.block)
}

function placeAt({ lat, lng }: Coordinates, address: string, lang: Lang, block: number | null = null): Place {
  const words = translatorFor(lang)
  const display_name = words('places.within', { place: address, within: words('places.country') })
  return { lat, lng, address, display_name, block }
}

const fromGeocoder = ({ lat, lng, text }: Located): Place => ({
  lat,
  lng,
  address: text,
  display_name: text,
  block: null,
})
