import { pointInside } from '@qatra/contract/places/coverage'
import type { Coordinates } from '@qatra/contract/places/geo'
import { areaAt } from '../../../areas/queries.ts'
import type { CatalogueArea } from '../../../areas/snapshot.ts'
import type { Catalogue } from '../../../catalogue/queries.ts'
import { placeOf, searchGazetteer } from '../../../geocoding/gazetteer.ts'
import { landmarks } from '../../../geocoding/landmarks.ts'
import { bareWords } from '../../understanding/names.ts'
import type { PlaceSlot } from '../../understanding/slots.ts'
import type { TurnContext } from '../replies.ts'

/** A place that the customer may mean. */
export interface FoundPlace {
  /** `area:12`, or `at:26.2,50.5` for a block or landmark. */
  id: string
  name: string
  nameAr: string | null
  point: Coordinates
  area: CatalogueArea
}

type Ground = Pick<Catalogue, 'areas' | 'blocks'>
const MAX_PLACES = 9

/** The area of the place that was chosen. */
export const areaOf = ({ memory, facts }: TurnContext): CatalogueArea | null =>
  memory.point ? areaAt(facts.catalogue, memory.point) : null

/** A point inside the area, for any shape. */
export function pointOf(ground: Pick<Ground, 'areas'>, area: CatalogueArea): Coordinates {
  return areaAt(ground, area.centre)?.id === area.id ? area.centre : pointInside(area.geometry)
}

/** The places behind a slot: the imported block, else the landmark, else the areas of that name. */
export function placesOf(ground: Ground, { areaIds, landmark, block }: PlaceSlot): FoundPlace[] {
  const found = ground.blocks.get(block ?? 0)
  const known = landmarks[landmark ?? -1]
  if (found) return placeAt(ground, placeOf(ground, found))
  if (known && areaIds.length === 0) {
    const [lng, lat] = known.at
    return placeAt(ground, { ...known, lat, lng })
  }
  const areas = areaIds.flatMap((id) => ground.areas.get(id) ?? [])
  return areas.slice(0, MAX_PLACES).map((area) => {
    const { id, name, nameAr } = area
    return { id: `area:${id}`, name, nameAr, point: pointOf(ground, area), area }
  })
}

/** Areas and landmarks whose names contain the text. */
export const searchPlaces = (ground: Ground, text: string): FoundPlace[] =>
  searchGazetteer(ground, text, MAX_PLACES).flatMap((place) => placeAt(ground, place))

/** Whether every word of the text is a word of the place's name. */
export function isWholeName({ name, nameAr }: FoundPlace, text: string): boolean {
  const words = bareWords(text)
  return [name, nameAr ?? ''].map(bareWords).some((known) => words.every((word) => known.includes(word)))
}

interface Named extends Coordinates {
  name: string
  nameAr: string
}

function placeAt(ground: Ground, { name, nameAr, lat, lng }: Named): FoundPlace[] {
  const area = areaAt(ground, { lat, lng })
  return area ? [{ id: `at:${lat},${lng}`, name, nameAr, point: { lat, lng }, area }] : []
}
