import type { Coordinates } from '@qatra/contract/places/geo'

export interface CatalogueBlock {
  number: number
  areaId: number | null
  /** A point inside. */
  centre: Coordinates
}

/** The part of the in-memory catalogue with the blocks, without their outlines. */
export interface BlockSnapshot {
  /** By number. */
  blocks: ReadonlyMap<number, CatalogueBlock>
}
