import { type AreaGeometry, type Box, boxOf } from '@qatra/contract/places/geo'

/** Bounding box of all shapes; null if there are none. */
export function boxAround(shapes: readonly { geometry: AreaGeometry }[]): Box | null {
  if (shapes.length === 0) return null
  const boxes = shapes.map(({ geometry }) => boxOf(geometry))
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
}
