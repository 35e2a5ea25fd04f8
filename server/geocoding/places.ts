import { type AreaGeometry, boxOf, type Position } from '@qatra/contract/geo'
import { areas } from '../areas/bahrain/areas.ts'
import { isInGeometry, polygonsOf } from '../areas/bahrain/rings.ts'
import { landmarks } from './landmarks.ts'

export interface GazetteerPlace {
  name: string
  nameAr: string
  lat: number
  lng: number
  kind: 'area' | 'block' | 'landmark'
}

/** Places of Bahrain that need no geocoder: areas, then blocks by number, then landmarks. */
export const gazetteer: readonly GazetteerPlace[] = [
  ...areas.map(({ name, nameAr, centre }) => place('area', name, nameAr, [centre.lng, centre.lat])),
  ...areas.flatMap(blockPlaces).sort((a, b) => (a.name < b.name ? -1 : 1)),
  ...landmarks.map(({ name, nameAr, at }) => place('landmark', name, nameAr, at)),
]

/**
 * There is no public register of block positions: blocks are spread over their area, away from each other and its
 * border.
 */
function blockPlaces(area: (typeof areas)[number]): GazetteerPlace[] {
  const points = spread(area.geometry, area.blocks.length)
  return area.blocks.map((block, i) => {
    const at = points[i] ?? [area.centre.lng, area.centre.lat]
    return place('block', `Block ${block}, ${area.name}`, `مجمع ${block}، ${area.nameAr}`, at)
  })
}

function place(kind: GazetteerPlace['kind'], name: string, nameAr: string, [lng, lat]: Position): GazetteerPlace {
  return { name, nameAr, lat, lng, kind }
}

/**
 * Up to `count` points of a lattice inside the geometry, each with the maximum distance to the earlier ones and the
 * border.
 */
function spread(geometry: AreaGeometry, count: number): Position[] {
  const { west, south, east, north } = boxOf(geometry)
  const steps = 14
  const corners = polygonsOf(geometry).flat(2)
  const candidates = Array.from({ length: steps * steps }, (_, i): Position => {
    const [column, row] = [i % steps, Math.floor(i / steps)]
    return [
      round(west + ((column + 0.5) / steps) * (east - west)),
      round(south + ((row + 0.5) / steps) * (north - south)),
    ]
  })
    .filter((point) => isInGeometry(point, geometry))
    .map((point) => ({ point, room: Math.min(...corners.map((corner) => gap(point, corner))) }))
  const chosen: Position[] = []
  while (chosen.length < count && candidates.length > 0) {
    const best = candidates.reduce((a, b) => (b.room > a.room ? b : a))
    chosen.push(best.point)
    candidates.splice(candidates.indexOf(best), 1)
    for (const candidate of candidates) candidate.room = Math.min(candidate.room, gap(candidate.point, best.point))
  }
  return chosen
}

function gap(a: Position, b: Position) {
  return Math.hypot((a[0] - b[0]) * 0.9, a[1] - b[1])
}

function round(degrees: number) {
  return Number(degrees.toFixed(5))
}
