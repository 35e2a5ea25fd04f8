import type { AreaGeometry, Coordinates, MultiPolygon } from '@qatra/contract/places/geo'
import { areaList } from './area-list.ts'
import drawn from './areas.json' with { type: 'json' }

export interface SeedArea {
  /** The area's code outside this system. */
  areaId: string
  name: string
  nameAr: string
  centre: Coordinates
  geometry: AreaGeometry
}

// TypeScript infers JSON arrays as number[]; areas.test.ts checks the actual shapes.
const polygons = new Map(Object.entries(drawn) as [string, MultiPolygon['coordinates']][])

/** Bahrain's areas. Together they cover the land; no two share more than a border. */
export const areas: readonly SeedArea[] = areaList.map(({ areaId, name, nameAr, centre: [lng, lat] }) => {
  return { areaId, name, nameAr, centre: { lat, lng }, geometry: geometryOf(areaId) }
})

/** Throws if build-areas.ts was not run after a change of the list of areas. */
function geometryOf(areaId: string): AreaGeometry {
  const [first, ...more] = polygons.get(areaId) ?? []
  if (!first) throw new Error(`areas.json has no ${areaId}: run node server/areas/bahrain/build-areas.ts`)
  return more.length === 0
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: [first, ...more] }
}
