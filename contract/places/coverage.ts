import type { AreaWarning } from './areas-admin.ts'
import { type AreaGeometry, type Box, bahrainBox, boxOf, type Coordinates, type Position } from './geo.ts'
import { polygonsOf, type Steps } from './outline.ts'

/** An area and its bounding box, which is compared first. */
export interface Covering {
  id: number
  name: string
  nameAr: string | null
  geometry: AreaGeometry
}

type Span = readonly [west: number, east: number]
const LINES = 160
const METRES_A_DEGREE = 111_195
/** Narrower overlaps and gaps come from rounding and from borders that were drawn twice. */
const LEAST_WIDTH_M = 15
const LEAST_OVERLAP_M2 = 5_000
const LEAST_GAP_M2 = 10_000
/** Distance from the area's edge within which uncovered land is reported as a gap. */
const BESIDE_M = 20
const MOST_STROKES = 32

const metresEast = (lat: number) => METRES_A_DEGREE * Math.cos((lat * Math.PI) / 180)

/** Overlaps with other areas, uncovered land next to the area, and axes that look swapped. */
export function* warningsOf(
  subject: Pick<Covering, 'id' | 'geometry'>,
  areas: Iterable<Covering>,
  land: AreaGeometry,
): Steps<AreaWarning[]> {
  const box = boxOf(subject.geometry)
  const warnings: AreaWarning[] = []
  if (looksSwapped(box)) warnings.push({ ...nameless('swapped'), at: middleOf(box) })
  const near: AreaGeometry[] = []
  for (const area of areas) {
    if (area.id === subject.id || !doMeet(boxOf(area.geometry), widened(box))) continue
    near.push(area.geometry)
    const shared = overlapOf(subject.geometry, area.geometry)
    const { id, name, nameAr } = area
    if (shared) warnings.push({ kind: 'overlap', id, name, nameAr, ...shared })
    yield
  }
  const gap = yield* gapToNeighbours(subject.geometry, near, land)
  if (gap) warnings.push({ ...nameless('gap'), ...gap })
  return warnings
}

const nameless = (kind: AreaWarning['kind']): AreaWarning => ({
  kind,
  id: null,
  name: null,
  nameAr: null,
  squareMetres: null,
  at: null,
  strokes: [],
})

/** Outside of Bahrain, but inside if latitude and longitude are swapped. */
function looksSwapped({ west, south, east, north }: Box): boolean {
  const turned = { west: south, south: west, east: north, north: east }
  return !doMeet({ west, south, east, north }, bahrainBox) && doMeet(turned, bahrainBox)
}

type Found = Pick<AreaWarning, 'squareMetres' | 'at' | 'strokes'>

/** Measured along parallels through the intersection of both boxes. */
export function overlapOf(a: AreaGeometry, b: AreaGeometry): Found | null {
  const [boxA, boxB] = [boxOf(a), boxOf(b)]
  if (!doMeet(boxA, boxB)) return null
  const lats = parallels(Math.max(boxA.south, boxB.south), Math.min(boxA.north, boxB.north))
  const [spansA, spansB] = [spansOf(a, lats), spansOf(b, lats)]
  const pieces = lats.values.map((_, i) => shared(spansA[i] ?? [], spansB[i] ?? []))
  return measured(lats, pieces, LEAST_OVERLAP_M2)
}

/** Land next to the area that no area covers. */
export function* gapToNeighbours(
  subject: AreaGeometry,
  others: readonly AreaGeometry[],
  land: AreaGeometry,
): Steps<Found | null> {
  const { south, north } = widened(boxOf(subject))
  const lats = parallels(south, north)
  const own = spansOf(subject, lats)
  const taken = [own]
  for (const other of others) {
    yield
    taken.push(spansOf(other, lats))
  }
  yield
  const ground = spansOf(land, lats)
  const free = lats.values.map((_, i) => without(ground[i] ?? [], joined(taken.flatMap((spans) => spans[i] ?? []))))
  const pieces = free.map((spans, i) => {
    const reach = BESIDE_M / metresEast(lats.values[i] ?? 0)
    const edges = [own[i - 1], own[i], own[i + 1]].flatMap((line) => line ?? [])
    return spans.filter(([west, east]) => edges.some((edge) => edge[0] <= east + reach && edge[1] >= west - reach))
  })
  return measured(lats, pieces, LEAST_GAP_M2)
}

interface Parallels {
  values: readonly number[]
  /** Degrees between two parallels. */
  step: number
}

function parallels(south: number, north: number): Parallels {
  const step = (north - south) / LINES
  return { step, values: Array.from({ length: LINES }, (_, i) => south + (i + 0.5) * step) }
}

/** Sections of each parallel inside a geometry. Walks the edges once for all parallels. */
function spansOf(geometry: AreaGeometry, { values, step }: Parallels): Span[][] {
  const crossings: number[][] = values.map(() => [])
  const first = values[0] ?? 0
  if (step <= 0) return crossings.map(() => [])
  for (const ring of polygonsOf(geometry).flat()) {
    for (let i = 1; i < ring.length; i += 1) {
      const [ax, ay] = ring[i - 1] ?? [0, 0]
      const [bx, by] = ring[i] ?? [0, 0]
      const low = Math.max(0, Math.ceil((Math.min(ay, by) - first) / step))
      const high = Math.min(values.length - 1, Math.ceil((Math.max(ay, by) - first) / step) - 1)
      for (let line = low; line <= high; line += 1) {
        crossings[line]?.push(ax + (((values[line] ?? 0) - ay) / (by - ay)) * (bx - ax))
      }
    }
  }
  return crossings.map((line) => {
    line.sort((a, b) => a - b)
    const spans: Span[] = []
    for (let i = 1; i < line.length; i += 2) spans.push([line[i - 1] ?? 0, line[i] ?? 0])
    return spans
  })
}

function shared(a: readonly Span[], b: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] ?? [0, 0], b[j] ?? [0, 0]]
    const piece: Span = [Math.max(one[0], other[0]), Math.min(one[1], other[1])]
    if (piece[0] < piece[1]) spans.push(piece)
    if (one[1] < other[1]) i += 1
    else j += 1
  }
  return spans
}

function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = []
  for (const [west, east] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && west <= last[1]) last[1] = Math.max(last[1], east)
    else all.push([west, east])
  }
  return all
}

/** `spans` minus `taken`. `taken` must be sorted and must not overlap itself. */
function without(spans: readonly Span[], taken: readonly Span[]): Span[] {
  return spans.flatMap(([west, east]) => {
    const free: Span[] = []
    let from = west
    for (const [start, end] of taken) {
      if (end <= from) continue
      if (start >= east) break
      if (start > from) free.push([from, start])
      from = end
    }
    if (from < east) free.push([from, east])
    return free
  })
}

function measured({ values, step }: Parallels, pieces: readonly (readonly Span[])[], least: number): Found | null {
  let squareMetres = 0
  let widest: { metres: number; at: Coordinates } | null = null
  const strokes: Position[][] = []
  for (const [i, spans] of pieces.entries()) {
    const lat = values[i] ?? 0
    const degree = metresEast(lat)
    for (const [west, east] of spans) {
      const metres = (east - west) * degree
      if (metres < LEAST_WIDTH_M) continue
      squareMetres += metres * step * METRES_A_DEGREE
      strokes.push([
        [rounded(west), rounded(lat)],
        [rounded(east), rounded(lat)],
      ])
      if (!widest || metres > widest.metres)
        widest = { metres, at: { lat: rounded(lat), lng: rounded((west + east) / 2) } }
    }
  }
  if (squareMetres < least || !widest) return null
  const every = Math.ceil(strokes.length / MOST_STROKES)
  const drawn = strokes.filter((_, i) => i % every === 0)
  return { squareMetres: Math.round(squareMetres), at: widest.at, strokes: drawn }
}

/** A point inside: the middle of the widest section of a parallel within the geometry. */
export function pointInside(geometry: AreaGeometry): Coordinates {
  const { south, north } = boxOf(geometry)
  const lats = parallels(south, north)
  let best: { width: number; at: Coordinates } | null = null
  for (const [i, spans] of spansOf(geometry, lats).entries()) {
    // Prefers sections near the middle if the widths are similar.
    const weight = 1 - Math.abs((i + 0.5) / LINES - 0.5)
    for (const [west, east] of spans) {
      const width = (east - west) * weight
      const at = { lat: rounded(lats.values[i] ?? south), lng: rounded((west + east) / 2) }
      if (!best || width > best.width) best = { width, at }
    }
  }
  return best?.at ?? middleOf(boxOf(geometry))
}

const rounded = (degrees: number) => Number(degrees.toFixed(7)) + 0
const middleOf = ({ west, south, east, north }: Box): Coordinates => ({
  lat: (south + north) / 2,
  lng: (west + east) / 2,
})
const doMeet = (a: Box, b: Box) => a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south
const EDGE_DEGREES = 0.0005
const widened = ({ west, south, east, north }: Box): Box => ({
  west: west - EDGE_DEGREES,
  south: south - EDGE_DEGREES,
  east: east + EDGE_DEGREES,
  north: north + EDGE_DEGREES,
})
