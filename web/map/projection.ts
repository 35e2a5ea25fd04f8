import type { Coordinates, Position } from '@qatra/contract/places/geo'

const TILE = 256

/** Pixel coordinates at a zoom level in Web Mercator, as in Leaflet. */
function project([lng, lat]: Position, zoom: number): [x: number, y: number] {
  const world = TILE * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return [((lng + 180) / 360) * world, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world]
}

interface View {
  centre: Coordinates
  zoom: number
}

/** Offset in pixels from the centre of a view, to the right and down. */
export function offsetFrom(position: Position, { centre, zoom }: View): [x: number, y: number] {
  const [left, top] = project([centre.lng, centre.lat], zoom)
  const [x, y] = project(position, zoom)
  return [x - left, y - top]
}

/** SVG path of rings relative to the centre of the view; `z` closes each ring. */
export function pathOf(lines: readonly (readonly Position[])[], { centre, zoom }: View, close: '' | 'z' = ''): string {
  const [left, top] = project([centre.lng, centre.lat], zoom)
  const at = (position: Position) => {
    const [x, y] = project(position, zoom)
    return `${Math.round(x - left)} ${Math.round(y - top)}`
  }
  return lines.map((line) => `M${line.map(at).join('L')}${close}`).join('')
}
