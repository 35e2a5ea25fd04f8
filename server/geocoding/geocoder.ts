import type { Coordinates } from '@qatra/contract/geo'
import type { Lang } from '@qatra/contract/lang'

/** A place returned by the geocoder, inside the box of Bahrain. */
export interface Located extends Coordinates {
  text: string
}

export interface Geocoder {
  /** Empty if nothing was found, or if the geocoder failed, timed out or its queue is full. */
  search: (text: string, lang: Lang) => Promise<readonly Located[]>
  reverse: (point: Coordinates, lang: Lang) => Promise<Located | null>
}
