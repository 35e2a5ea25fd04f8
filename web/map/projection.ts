import type { Coordinates, Position } from '@qatra/contract/geo'

const TILE = 256

/** Pixels of the whole world's map at a zoom, as Leaflet counts them (Web Mercator). */
function project([lng, lat]: Position, zoom: number): [x: number, y: number] {
  const world = TILE * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return [((lng + 180) / 360) * world, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world]
}

interface View {
  centre: Coordinates
  zoom: number
}

/** Pixels to the right of and below the centre of a view. */
export function offsetFrom(position: Position, { centre, zoom }: View): [x: number, y: number] {
  const [left, top] = project([centre.lng, centre.lat], zoom)
  const [x, y] = project(position, zoom)
  return [x - left, y - top]
}

/** An SVG path of lines around 0,0, where the centre of the view is; `z` closes each of them. */
export function pathOf(lines: readonly (readonly Position[])[], { centre, zoom }: View, close: '' | 'z' = ''): string {
  const [left, top] = project([centre.lng, centre.lat], zoom)
  const at = (position: Position) => {
    const [x, y] = project(position, zoom)
    return `${Math.round(x - left)} ${Math.round(y - top)}`
  }
  return lines.map((line) => `M${line.map(at).join('L')}${close}`).join('')
}
