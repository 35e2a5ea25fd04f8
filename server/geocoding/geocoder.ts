import type { Lang } from '@qatra/contract/lib/lang'
import type { Coordinates } from '@qatra/contract/places/geo'

/** A place returned by the geocoder, inside the box of Bahrain. */
export interface Located extends Coordinates {
  text: string
}

/** Who searches: the language of the answer, and the address whose network spends its share of the calls. */
export interface Searcher {
  lang: Lang
  ip: string
}

export interface Geocoder {
  /** Empty if nothing was found, or if the geocoder failed, timed out or the calls are used up. */
  search: (text: string, searcher: Searcher) => Promise<readonly Located[]>
  reverse: (point: Coordinates, searcher: Searcher) => Promise<Located | null>
}
