import * as z from 'zod/mini'

/** A geographic point. Zod numbers are finite. */
export const coordinates = /* @__PURE__ */ z.object(
  {
    lat: degrees(90, 'validation.coordinates'),
    lng: degrees(180, 'validation.coordinates'),
  },
  'validation.coordinates',
)
export type Coordinates = z.output<typeof coordinates>

/** Initial centre of a map without a pin. */
export const defaultCentre: Coordinates = { lat: 26.0667, lng: 50.5577 }

/** Whether a pin was set: 0,0 and the initial map centre count as not set. */
export function isChosen(c: Coordinates | null | undefined): c is Coordinates {
  return !!c && !isSame(c, { lat: 0, lng: 0 }) && !isSame(c, defaultCentre)
}

const tolerance = 1e-6
const isSame = (a: Coordinates, b: Coordinates) =>
  Math.abs(a.lat - b.lat) <= tolerance && Math.abs(a.lng - b.lng) <= tolerance

/** Degrees: west and east are longitudes, south and north latitudes. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** Bahrain's islands with territorial waters, including Hawar. */
export const bahrainBox: Box = { west: 50.3, south: 25.5, east: 50.9, north: 26.4 }

export const isInBox = (c: Coordinates, box: Box): boolean =>
  c.lng >= box.west && c.lng <= box.east && c.lat >= box.south && c.lat <= box.north

export const isInBahrainBox = (c: Coordinates): boolean => isInBox(c, bahrainBox)

/** GeoJSON order: longitude, latitude. */
export type Position = [lng: number, lat: number]
export interface Polygon {
  type: 'Polygon'
  coordinates: Position[][]
}
export interface MultiPolygon {
  type: 'MultiPolygon'
  coordinates: Position[][][]
}
export type AreaGeometry = Polygon | MultiPolygon

const mostPoints = 20_000
const mostPolygons = 500

const problem = 'validation.geometry'
const position = /* @__PURE__ */ z.tuple([degrees(180, problem), degrees(90, problem)], problem)
const ring = /* @__PURE__ */ z
  .array(position, problem)
  .check(z.minLength(4, problem), z.maxLength(mostPoints, problem), z.refine(isClosed, problem))
const rings = /* @__PURE__ */ z.array(ring).check(z.minLength(1, problem), z.maxLength(mostPolygons, problem))

/** Outline of an area: closed rings with at most 20,000 points in total. */
export const areaGeometry = /* @__PURE__ */ z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('Polygon'), coordinates: rings }),
      z.object({
        type: z.literal('MultiPolygon'),
        coordinates: z.array(rings, problem).check(z.minLength(1, problem), z.maxLength(mostPolygons, problem)),
      }),
    ],
    problem,
  )
  .check(z.refine((geometry: AreaGeometry) => ringsOf(geometry).flat().length <= mostPoints, problem))

function isClosed(points: Position[]) {
  const [first, last] = [points[0], points.at(-1)]
  return !!first && !!last && first[0] === last[0] && first[1] === last[1]
}

const ringsOf = (geometry: AreaGeometry): Position[][] =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()

/** Bounding box of a geometry. */
export function boxOf(geometry: AreaGeometry): Box {
  const box: Box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const [lng, lat] of ringsOf(geometry).flat()) {
    box.west = Math.min(box.west, lng)
    box.south = Math.min(box.south, lat)
    box.east = Math.max(box.east, lng)
    box.north = Math.max(box.north, lat)
  }
  return box
}

/** `26.06670, 50.55770` */
export const formatCoordinates = (c: Coordinates): string => `${c.lat.toFixed(5)}, ${c.lng.toFixed(5)}`

export function roundPoint(c: Coordinates, decimals: number): Coordinates {
  return { lat: Number(c.lat.toFixed(decimals)) + 0, lng: Number(c.lng.toFixed(decimals)) + 0 }
}

/** Great-circle distance on a sphere; accurate to 0.5 %. */
export function distanceInMetres(a: Coordinates, b: Coordinates): number {
  const [latA, latB] = [radians(a.lat), radians(b.lat)]
  const h =
    Math.sin((latB - latA) / 2) ** 2 + Math.cos(latA) * Math.cos(latB) * Math.sin(radians(b.lng - a.lng) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)))
}

// @__NO_SIDE_EFFECTS__
function degrees(limit: number, message: string) {
  return z.number(message).check(z.gte(-limit, message), z.lte(limit, message))
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
