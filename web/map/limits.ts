import type { Coordinates } from '@qatra/contract/geo'

/** Where the map opens: Manama, Muharraq, Isa Town and Riffa in one look (docs/decisions/0007). */
export const startCentre: Coordinates = { lat: 26.2, lng: 50.56 }
/** This and the next from SPEC §9. */
export const ZOOM_START = 11
export const ZOOM_CHOSEN = 15
/** The same without tiles: our own drawing has no streets, and the area's whole outline tells more than its middle. */
export const ZOOM_CHOSEN_DRAWN = 13
export const SEARCH_DELAY_MS = 1000
export const SEARCH_FROM = 3

export const ZOOM_MOST = 18
export const ZOOM_LEAST = 9
