/** From SPEC §9. */
export const ZOOM_START = 11
export const ZOOM_CHOSEN = 15
export const MAP_HEIGHT = 300
export const SEARCH_DELAY_MS = 1000
export const SEARCH_FROM = 3

/** Nearer than this our own drawing of Bahrain has nothing more to show than roads. */
export const ZOOM_MOST = 18
export const ZOOM_LEAST = 9
