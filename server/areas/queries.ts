import type { Area, AreaSummary } from '@qatra/contract/places/areas'
import {
  type AreaGeometry,
  type Box,
  boxOf,
  type Coordinates,
  isInBox,
  type Position,
} from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon'
import { AppError } from '../lib/errors.ts'
import type { AreaSnapshot, CatalogueArea } from './snapshot.ts'

interface Outlined {
  id: number
  geometry: AreaGeometry
}
interface Indexed<T> {
  item: T
  box: Box
}

/** Smallest first, so that the first outline that covers a point is the result. */
function indexed<T extends Outlined>(items: Iterable<T>): readonly Indexed<T>[] {
  return [...items]
    .map((item) => ({ item, box: boxOf(item.geometry), size: sizeOf(item.geometry) }))
    .sort((a, b) => a.size - b.size || a.item.id - b.item.id)
}

function firstAt<T extends Outlined>(index: readonly Indexed<T>[], point: Coordinates): T | null {
  for (const { item, box } of index)
    if (isInBox(point, box) && booleanPointInPolygon([point.lng, point.lat], item.geometry)) return item
  return null
}

/** The outline that covers a point, borders included and holes excluded; the smaller one if several cover it. */
export const smallestAt = <T extends Outlined>(items: Iterable<T>, point: Coordinates): T | null =>
  firstAt(indexed(items), point)

/** Built once per set of areas. */
const indexes = new WeakMap<ReadonlyMap<number, CatalogueArea>, readonly Indexed<CatalogueArea>[]>()

/** The area that covers a point, by the same rule. */
export function areaAt({ areas }: AreaSnapshot, point: Coordinates): CatalogueArea | null {
  const index = indexes.get(areas) ?? indexed(areas.values())
  indexes.set(areas, index)
  return firstAt(index, point)
}

/**
 * How a pin was set, as far as that is known. Before it was kept, a pin in the very middle of its area came from the
 * list of areas.
 */
export const pinSourceAt = (
  area: Pick<CatalogueArea, 'centre'> | null,
  { lat, lng }: Coordinates,
  stored: PinSource | null | undefined,
): PinSource | null => stored ?? (area?.centre.lat === lat && area.centre.lng === lng ? 'area' : null)

/** The fields of a vendor that areas need. */
export interface ServingVendor {
  id: number
  isActive: boolean
  areaIds: ReadonlySet<number>
}
export interface Serving {
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
