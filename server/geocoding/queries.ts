import { type Coordinates, distanceInMetres, formatCoordinates, isInBahrainBox } from '@qatra/contract/geo'
import type { Place } from '@qatra/contract/geocode'
import { type Lang, nameIn } from '@qatra/contract/lang'
import { fold } from '@qatra/contract/text'
import { areaAt } from '../areas/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { translatorFor } from '../lib/translate.ts'
import { nearestTo, searchGazetteer } from './gazetteer.ts'
import type { Geocoder, Located, Searcher } from './geocoder.ts'
import type { GazetteerPlace } from './places.ts'

const MOST_PLACES = 5
const SHORTEST_TEXT = 3
/** Results of gazetteer and geocoder within this distance are the same place. */
const SAME_PLACE_METRES = 60

/** At most five places: from the built-in gazetteer first, then from the geocoder, if one is configured. */
export async function searchPlaces(
  catalogue: Catalogue,
  geocoder: Geocoder | null,
  text: string,
  searcher: Searcher,
): Promise<Place[]> {
  const { lang } = searcher
  const sought = fold(text)
  if (sought.length < SHORTEST_TEXT) return []
  const known = searchGazetteer(sought, MOST_PLACES).map((place) => toPlace(catalogue, place, lang))
  if (!geocoder || known.length >= MOST_PLACES) return known
  const others = (await geocoder.search(sought, searcher)).map(fromGeocoder)
  const isNew = (place: Place) => known.every((one) => distanceInMetres(one, place) > SAME_PLACE_METRES)
  return [...known, ...others.filter(isNew)].slice(0, MOST_PLACES)
}

/** The address of a point; its coordinates with five decimals if none is known. */
export async function readAddressOf(
  catalogue: Catalogue,
  geocoder: Geocoder | null,
  point: Coordinates,
  searcher: Searcher,
): Promise<Place> {
  const { lang } = searcher
  const near = nearestTo(catalogue, point, lang)
  if (near) {
    const { area, block } = near
    return placeAt(point, block === null ? area : translatorFor(lang)('places.block', { area, block }), lang)
  }
  const found = geocoder && isInBahrainBox(point) ? await geocoder.reverse(point, searcher) : null
  const text = found?.text ?? formatCoordinates(point)
  return { ...point, address: text, display_name: text }
}

/** Appends the area to a landmark's name; names of blocks contain it. */
function toPlace(catalogue: Catalogue, place: GazetteerPlace, lang: Lang): Place {
  const name = nameIn(lang, place)
  const area = place.kind === 'landmark' ? areaAt(catalogue, place) : null
  const areaName = area && nameIn(lang, area)
  const hasAreaInName = areaName === null || fold(name).includes(fold(areaName))
  return placeAt(
    place,
    hasAreaInName ? name : translatorFor(lang)('places.within', { place: name, within: areaName }),
    lang,
  )
}

function placeAt({ lat, lng }: Coordinates, address: string, lang: Lang): Place {
  const words = translatorFor(lang)
  const display_name = words('places.within', { place: address, within: words('places.country') })
  return { lat, lng, address, display_name }
}

const fromGeocoder = ({ lat, lng, text }: Located): Place => ({ lat, lng, address: text, display_name: text })
