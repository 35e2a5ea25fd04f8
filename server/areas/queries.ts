import type { Area, AreaSummary } from '@qatra/contract/areas'
import { type AreaGeometry, type Box, boxOf, type Coordinates, isInBox, type Position } from '@qatra/contract/geo'
import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon'
import { AppError } from '../lib/errors.ts'
import type { AreaSnapshot, CatalogueArea } from './snapshot.ts'

interface Indexed {
  area: CatalogueArea
  box: Box
}

/** Built once per set of areas. Smallest first, so that the first area that covers a point is the result. */
const indexes = new WeakMap<ReadonlyMap<number, CatalogueArea>, readonly Indexed[]>()

function indexOf(areas: ReadonlyMap<number, CatalogueArea>): readonly Indexed[] {
  const known = indexes.get(areas)
  if (known) return known
  const index = [...areas.values()]
    .map((area) => ({ area, box: boxOf(area.geometry), size: sizeOf(area.geometry) }))
    .sort((a, b) => a.size - b.size || a.area.id - b.area.id)
  indexes.set(areas, index)
  return index
}

/** The area that covers a point, borders included and holes excluded; the smaller one if two cover it. */
export function areaAt(catalogue: AreaSnapshot, point: Coordinates): CatalogueArea | null {
  for (const { area, box } of indexOf(catalogue.areas))
    if (isInBox(point, box) && booleanPointInPolygon([point.lng, point.lat], area.geometry)) return area
  return null
}

/** The fields of a vendor that areas need. */
export interface ServingVendor {
  id: number
  isActive: boolean
  areaIds: ReadonlySet<number>
}
interface Serving {
  vendors: ReadonlyMap<number, ServingVendor>
}

/** Active vendors that deliver to an area, by id. */
export const vendorsServing = <Vendor extends ServingVendor>(
  { vendors }: { vendors: ReadonlyMap<number, Vendor> },
  areaId: number,
): Vendor[] =>
  [...vendors.values()].filter((vendor) => vendor.isActive && vendor.areaIds.has(areaId)).sort((a, b) => a.id - b.id)

export function summaryOf(catalogue: Serving, area: CatalogueArea): AreaSummary {
  const { id, areaId, name, nameAr, centre } = area
  return { id, areaId, name, nameAr, centre, vendorIds: vendorsServing(catalogue, id).map((vendor) => vendor.id) }
}

/** Sorted by name, then by id. */
export const listAreas = (catalogue: AreaSnapshot & Serving): AreaSummary[] =>
  [...catalogue.areas.values()]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
    .map((area) => summaryOf(catalogue, area))

export function requireAreaAt(catalogue: AreaSnapshot & Serving, point: Coordinates): AreaSummary {
  const area = areaAt(catalogue, point)
  if (!area) throw new AppError('AREA_NOT_FOUND')
  return summaryOf(catalogue, area)
}

export function requireArea(catalogue: AreaSnapshot & Serving, id: number): Area {
  const area = catalogue.areas.get(id)
  if (!area) throw new AppError('AREA_NOT_FOUND')
  return { ...summaryOf(catalogue, area), geometry: area.geometry }
}

/** Square degrees of latitude, for comparison only: scaling longitudes by the cosine is accurate enough. */
function sizeOf(geometry: AreaGeometry): number {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.reduce((sum, [outline, ...holes]) => {
    return sum + ringSize(outline ?? []) - holes.reduce((taken, hole) => taken + ringSize(hole), 0)
  }, 0)
}

function ringSize(ring: readonly Position[]): number {
  const narrowing = Math.cos(((ring[0]?.[1] ?? 0) * Math.PI) / 180)
  let doubled = 0
  for (const [i, [lng, lat]] of ring.entries()) {
    const [nextLng, nextLat] = ring[(i + 1) % ring.length] ?? [lng, lat]
    doubled += lng * nextLat - nextLng * lat
  }
  return (Math.abs(doubled) / 2) * narrowing
}
