import type { AreaGeometry, Position } from '@qatra/contract/places/geo'

/** Whether a point is inside a ring; points on the border can count as either. */
export function isInRing([lng, lat]: Position, ring: readonly Position[]): boolean {
  let isInside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [from, to] = [ring[i], ring[j]]
    if (!from || !to || from[1] > lat === to[1] > lat) continue
    if (lng < ((to[0] - from[0]) * (lat - from[1])) / (to[1] - from[1]) + from[0]) isInside = !isInside
  }
  return isInside
}

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
