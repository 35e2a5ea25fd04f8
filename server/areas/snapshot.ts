import type { AreaGeometry, Coordinates } from '@qatra/contract/places/geo'

export interface CatalogueArea {
  id: number
  areaId: string
  name: string
  nameAr: string | null
  geometry: AreaGeometry
  centre: Coordinates
}

/** The part of the in-memory catalogue with the areas. */
export interface AreaSnapshot {
  areas: ReadonlyMap<number, CatalogueArea>
}
