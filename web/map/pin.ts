/** The logo's drop in a pin with its point at 0,0. */
const body = 'M0 0C-8.5-9.5-15-15.5-15-24.5a15 15 0 0 1 30 0C15-15.5 8.5-9.5 0 0Z'
const drop = 'M0-34C2.2-30 6-27.2 6-23a6 6 0 0 1-12 0C-6-27.2-2.2-30 0-34Z'
export const pinPaths = { body, drop }

/** 44 px wide, the minimum of a touch target. */
export const PIN_WIDTH = 44
export const PIN_HEIGHT = 48
const UNDER = 4

export const pinViewBox = `${-PIN_WIDTH / 2} ${UNDER - PIN_HEIGHT} ${PIN_WIDTH} ${PIN_HEIGHT}`
/** Position of the point in the square. */
export const pinAnchor: [x: number, y: number] = [PIN_WIDTH / 2, PIN_HEIGHT - UNDER]

/** As a string, which Leaflet requires. */
export const pinSvg = [
  `<svg width="${PIN_WIDTH}" height="${PIN_HEIGHT}" viewBox="${pinViewBox}" aria-hidden="true">`,
  '<ellipse cy="1" rx="9" ry="3" class="map-pin-shadow"/>',
  `<path d="${body}" class="map-pin"/><path d="${drop}" class="map-pin-drop"/></svg>`,
].join('')
