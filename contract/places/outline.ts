import type { ValidationKey } from '../lib/fields.ts'
import type { AreaGeometry, Position } from './geo.ts'

/** A problem of an outline and its location, as a path below `geometry`. */
export interface OutlineProblem {
  path: string
  key: ValidationKey
}

/** Long computations yield between steps, so that the caller can give other work a turn. */
export type Steps<T> = Generator<void, T>

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const MOST_POINTS = 20_000
const MOST_PARTS = 500
/**
 * Limits of compared edge pairs between two yields, and in total. A coast of 20,000 points needs about a tenth of the
 * total.
 */
const PAIRS_A_STEP = 50_000
const POINTS_A_STEP = 2_000
const MOST_PAIRS = 20_000_000
/** Square degrees; smaller than a square metre counts as empty. */
const LEAST_SIZE = 1e-10

export const polygonsOf = (geometry: AreaGeometry): Position[][][] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

/** Parses an untrusted value as an outline. Ignores heights; rejects everything else that is invalid. */
export function* readOutline(value: unknown): Steps<{ geometry: AreaGeometry } | { problem: OutlineProblem }> {
  const shape = yield* shapeOf(value)
  if ('problem' in shape) return shape
  const { geometry } = shape
  const problem = yield* outlineProblem(geometry)
  return problem ? { problem } : { geometry }
}

/** Detects crossing edges, invalid holes and empty parts; null if the outline is valid. */
export function* outlineProblem(geometry: AreaGeometry): Steps<OutlineProblem | null> {
  const polygons = polygonsOf(geometry)
  const crossing = yield* hasCrossing(polygons.flat())
  if (crossing === null) return { path: 'coordinates', key: 'validation.geometryComplex' }
  if (crossing) return { path: 'coordinates', key: 'validation.geometryCrossing' }
  for (const [p, rings] of polygons.entries()) {
    const [outer = [], ...holes] = rings
    const path = geometry.type === 'Polygon' ? 'coordinates' : `coordinates.${p}`
    for (const [r, ring] of rings.entries()) {
      if (Math.abs(signedArea(ring)) < LEAST_SIZE) return { path: `${path}.${r}`, key: 'validation.geometryFlat' }
    }
    for (const [h, hole] of holes.entries()) {
      const isInside = yield* hasPointIn(hole, outer)
      if (!isInside) return { path: `${path}.${h + 1}`, key: 'validation.geometryHole' }
    }
  }
  return null
}

/** Both rings can have thousands of points. */
function* hasPointIn(hole: readonly Position[], outer: readonly Position[]): Steps<boolean> {
  let pairs = PAIRS_A_STEP
  for (const point of hole) {
    pairs += outer.length
    if (pairs > PAIRS_A_STEP) {
      pairs = 0
      yield
    }
    if (isInRing(point, outer)) return true
  }
  return false
}

function* shapeOf(value: unknown): Steps<{ geometry: AreaGeometry } | { problem: OutlineProblem }> {
  const refused = (path: string, key: ValidationKey) => ({ problem: { path, key } })
  if (typeof value !== 'object' || value === null || !('type' in value)) return refused('', 'validation.geometryType')
  const { type } = value
  if (type !== 'Polygon' && type !== 'MultiPolygon') return refused('type', 'validation.geometryType')
  const coordinates = 'coordinates' in value ? value.coordinates : null
  const parts: unknown[] = type === 'Polygon' ? [coordinates] : Array.isArray(coordinates) ? coordinates : []
  if (parts.length === 0) return refused('coordinates', 'validation.geometryEmpty')
  if (parts.length > MOST_PARTS) return refused('coordinates', 'validation.geometryPoints')
  let points = 0
  const polygons: Position[][][] = []
  for (const [p, part] of parts.entries()) {
    const path = type === 'Polygon' ? 'coordinates' : `coordinates.${p}`
    if (!Array.isArray(part) || part.length === 0) return refused(path, 'validation.geometryEmpty')
    if (part.length > MOST_PARTS) return refused(path, 'validation.geometryPoints')
    const rings: Position[][] = []
    for (const [r, ring] of part.entries()) {
      const here = `${path}.${r}`
      if (!Array.isArray(ring)) return refused(here, 'validation.geometryEmpty')
      points += ring.length
      if (points > MOST_POINTS) return refused(path, 'validation.geometryPoints')
      const read: Position[] = []
      for (let i = 0; i < ring.length; i += 1) {
        const position = positionOf(ring[i])
        if (!position) return refused(`${here}.${i}`, 'validation.geometryPosition')
        read.push(position)
        if (i % POINTS_A_STEP === POINTS_A_STEP - 1) yield
      }
      const [first, last] = [read[0], read.at(-1)]
      if (!first || !last || read.length < 4) return refused(here, 'validation.geometryEmpty')
      if (first[0] !== last[0] || first[1] !== last[1]) return refused(here, 'validation.geometryOpen')
      rings.push(read)
    }
    polygons.push(rings)
  }
  const [only = []] = polygons
  return { geometry: type === 'Polygon' ? { type, coordinates: only } : { type, coordinates: polygons } }
}

/** Longitude, latitude and an optional height; null if the value is not a position. */
function positionOf(value: unknown): Position | null {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return null
  const [lng, lat] = value as unknown[]
  const isPlace = typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 90
  return isPlace ? [lng, lat] : null
}

/** Whether any two edges cross; null if too many edges are close to each other to compare within the limit. */
function* hasCrossing(rings: readonly Position[][]): Steps<boolean | null> {
  const edges: Edge[] = []
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i += 1) {
      const [from, to] = [ring[i - 1], ring[i]]
      if (from && to) edges.push(edgeOf(from, to))
      if (i % POINTS_A_STEP === 0) yield
    }
  }
  edges.sort((a, b) => a.west - b.west)
  let pairs = 0
  for (const [i, edge] of edges.entries()) {
    for (let j = i + 1; j < edges.length; j += 1) {
      const other = edges[j]
      if (!other || other.west > edge.east) break
      pairs += 1
      if (pairs % PAIRS_A_STEP === 0) yield
      if (other.south <= edge.north && other.north >= edge.south && doCross(edge, other)) return true
    }
    if (pairs > MOST_PAIRS) return null
  }
  return false
}

interface Edge {
  from: Position
  to: Position
  west: number
  east: number
  south: number
  north: number
}

const edgeOf = (from: Position, to: Position): Edge => ({
  from,
  to,
  west: Math.min(from[0], to[0]),
  east: Math.max(from[0], to[0]),
  south: Math.min(from[1], to[1]),
  north: Math.max(from[1], to[1]),
})

/** The endpoints of each edge lie on both sides of the other. Edges that only touch do not cross. */
const doCross = (a: Edge, b: Edge) =>
  side(a.from, a.to, b.from) * side(a.from, a.to, b.to) < 0 && side(b.from, b.to, a.from) * side(b.from, b.to, a.to) < 0

/** 1 left, −1 right, 0 on the line, within floating-point accuracy. */
function side([ax, ay]: Position, [bx, by]: Position, [x, y]: Position): -1 | 0 | 1 {
  const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
  return turn > 1e-16 ? 1 : turn < -1e-16 ? -1 : 0
}

/** Points on the border can count as either. */
export function isInRing([lng, lat]: Position, ring: readonly Position[]): boolean {
  let isInside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [from, to] = [ring[i], ring[j]]
    if (!from || !to || from[1] > lat === to[1] > lat) continue
    if (lng < ((to[0] - from[0]) * (lat - from[1])) / (to[1] - from[1]) + from[0]) isInside = !isInside
  }
  return isInside
}

/** Square degrees. Computed relative to the first point: products of absolute coordinates would lose precision. */
function signedArea(ring: readonly Position[]): number {
  const [west, south] = ring[0] ?? [0, 0]
  let doubled = 0
  for (let i = 1; i < ring.length; i += 1) {
    const [ax, ay] = ring[i - 1] ?? [west, south]
    const [bx, by] = ring[i] ?? [west, south]
    doubled += (ax - west) * (by - south) - (bx - west) * (ay - south)
  }
  return doubled / 2
}
