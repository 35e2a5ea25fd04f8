import type { Coordinates } from '@qatra/contract/geo'
import type { Lang } from '@qatra/contract/lang'

/** A place as the geocoder tells it, inside the box of Bahrain. */
export interface Located extends Coordinates {
  text: string
}

export interface Geocoder {
  /** Empty where nothing was found, or the geocoder failed, was too slow or is asked too often. */
  search: (text: string, lang: Lang) => Promise<readonly Located[]>
  reverse: (point: Coordinates, lang: Lang) => Promise<Located | null>
}
