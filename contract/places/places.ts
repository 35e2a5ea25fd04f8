import type { MultiPolygon, Position } from './geo.ts'
import labels from './labels.json' with { type: 'json' }
import outline from './land.json' with { type: 'json' }
import mainRoads from './roads.json' with { type: 'json' }

/** A main road or causeway as one line. */
export interface Road {
  name: string
  nameAr: string
  line: Position[]
}

/** A map label. Rank 1 appears at all zoom levels, 2 when closer, 3 when closest. */
export interface PlaceLabel {
  name: string
  nameAr: string
  point: Position
  rank: 1 | 2 | 3
}

// TypeScript infers JSON arrays as number[] and strings as string; places.test.ts checks the actual shapes.

/** Outline of Bahrain without Hawar, simplified to about 20 m. The map draws it when there are no tiles. */
export const land = outline as MultiPolygon
export const roads = mainRoads as Road[]
export const placeLabels = labels as PlaceLabel[]
