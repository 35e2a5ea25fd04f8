import type { MultiPolygon, Position } from './geo.ts'
import labels from './places/labels.json' with { type: 'json' }
import outline from './places/land.json' with { type: 'json' }
import mainRoads from './places/roads.json' with { type: 'json' }

/** A main road or causeway as one line. */
export interface Road {
  name: string
  nameAr: string
  line: Position[]
}

/** A name on the map; rank 1 is shown from afar, 2 nearer, 3 nearest. */
export interface PlaceLabel {
  name: string
  nameAr: string
  point: Position
  rank: 1 | 2 | 3
}

// The compiler reads JSON arrays as number[] and texts as string; places.test.ts checks the true shapes.

/** Bahrain's islands without Hawar, simplified to about 20 m; what the map draws where there are no tiles. */
export const land = outline as MultiPolygon
export const roads = mainRoads as Road[]
export const placeLabels = labels as PlaceLabel[]
