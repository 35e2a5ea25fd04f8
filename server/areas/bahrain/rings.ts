import type { AreaGeometry, Position } from '@qatra/contract/places/geo'
import { isInRing } from '@qatra/contract/places/outline'

export const polygonsOf = (geometry: AreaGeometry): Position[][][] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

/** Holes are outside; points on the border can count as either. */
export const isInGeometry = (point: Position, geometry: AreaGeometry): boolean =>
  polygonsOf(geometry).some(([outer, ...holes]) => {
    return !!outer && isInRing(point, outer) && !holes.some((hole) => isInRing(point, hole))
  })

/** Square degrees; positive if the ring is counter-clockwise. */
export function signedArea(ring: readonly Position[]): number {
  const doubled = ring.reduce((sum, [lng, lat], i) => {
    const [nextLng, nextLat] = ring[(i + 1) % ring.length] ?? [lng, lat]
    return sum + lng * nextLat - nextLng * lat
  }, 0)
  return doubled / 2
}
