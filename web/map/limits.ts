import type { Coordinates } from '@qatra/contract/places/geo'

/** Initial centre: shows Manama, Muharraq, Isa Town and Riffa in 300 px of height; the centre of SPEC §9 shows the desert south of them. */
export const startCentre: Coordinates = { lat: 26.2, lng: 50.56 }
/** ZOOM_START and ZOOM_CHOSEN are from SPEC §9. */
export const ZOOM_START = 11
export const ZOOM_CHOSEN = 15
/** Lower zoom without tiles: our own drawing has no streets, so the area's whole outline is more useful. */
export const ZOOM_CHOSEN_DRAWN = 13
export const SEARCH_DELAY_MS = 1000
export const SEARCH_FROM = 3

export const ZOOM_MOST = 18
export const ZOOM_LEAST = 9
