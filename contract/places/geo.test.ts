import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaGeometryInput } from './areas-admin.ts'
import {
  areaGeometry,
  boxOf,
  type Coordinates,
  coordinates,
  defaultCentre,
  distanceInMetres,
  formatCoordinates,
  isChosen,
  isInBahrainBox,
  isInBox,
  type Position,
  roundPoint,
} from './geo.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lng = fc.double({ min: -180, max: 180, noNaN: true })
const point: fc.Arbitrary<Coordinates> = fc.record({ lat, lng })
const ring = fc.array(fc.tuple(lng, lat), { minLength: 3, maxLength: 12 }).map(closed)
const geometry = fc.oneof(
  fc.array(ring, { minLength: 1, maxLength: 3 }).map((rings) => ({ type: 'Polygon' as const, coordinates: rings })),
  fc
    .array(fc.array(ring, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 })
    .map((polygons) => ({ type: 'MultiPolygon' as const, coordinates: polygons })),
)

function closed(points: Position[]): Position[] {
  const [first] = points
  return first ? [...points, [first[0], first[1]]] : points
}

const manama = { lat: 26.2285, lng: 50.586 }

describe('coordinates', () => {
  it.each([
    [91, 0],
    [-90.0001, 0],
    [0, 180.5],
    [Number.NaN, 0],
    [0, Infinity],
    [1e309, 0],
    ['26', '50'],
    [null, null],
  ])('are rejected at %j, %j', (badLat, badLng) => {
    expect(coordinates.safeParse({ lat: badLat, lng: badLng }).success).toBe(false)
  })

  it.each([null, undefined, [], [26, 50], '26,50', {}, { lat: 26 }, { latitude: 26, longitude: 50 }])(
    'are rejected if given as %j',
    (bad) => {
      expect(coordinates.safeParse(bad).error?.issues[0]?.message).toBe('validation.coordinates')
    },
  )

  it('accept the limits of latitude and longitude', () => {
    expect(coordinates.parse({ lat: -90, lng: 180, accuracy: 5 })).toEqual({ lat: -90, lng: 180 })
  })

  it('count as chosen unless at 0,0 or the initial map centre', () => {
    for (const unset of [
      null,
      undefined,
      { lat: 0, lng: 0 },
      { lat: -0, lng: 1e-7 },
      defaultCentre,
      { lat: 26.0667004, lng: 50.5576996 },
    ]) {
      expect(isChosen(unset)).toBe(false)
    }
    for (const set of [manama, { lat: 26.0668, lng: 50.5577 }, { lat: 0, lng: 50.5577 }])
      expect(isChosen(set)).toBe(true)
  })

  it('are inside or outside of the box of Bahrain', () => {
    for (const inside of [manama, defaultCentre, { lat: 25.65, lng: 50.77 }, { lat: 26.29, lng: 50.66 }]) {
      expect(isInBahrainBox(inside)).toBe(true)
    }
    // Dammam, Doha, nowhere
    for (const outside of [
      { lat: 26.43, lng: 50.1 },
      { lat: 25.28, lng: 51.53 },
      { lat: 0, lng: 0 },
    ]) {
      expect(isInBahrainBox(outside)).toBe(false)
    }
  })

  it('are formatted and rounded', () => {
    expect(formatCoordinates({ lat: 26.22851234, lng: 50.586 })).toBe('26.22851, 50.58600')
    expect(roundPoint({ lat: 26.22851234, lng: 50.58649 }, 3)).toEqual({ lat: 26.229, lng: 50.586 })
    expect(Object.is(roundPoint({ lat: -0.0001, lng: 0 }, 2).lat, 0)).toBe(true)
    fc.assert(
      fc.property(point, (p) => {
        expect(roundPoint(roundPoint(p, 4), 4)).toEqual(roundPoint(p, 4))
        expect(distanceInMetres(p, roundPoint(p, 4))).toBeLessThan(8)
      }),
      runs,
    )
  })
})

describe('distance', () => {
  it('is approximately correct for known places', () => {
    expect(distanceInMetres({ lat: 26, lng: 50 }, { lat: 27, lng: 50 })).toBeCloseTo(111_195, -1)
    expect(distanceInMetres({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo(20_015_115, -2)
  })

  it('is symmetric, zero between equal points and at most half the circumference of the earth', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const there = distanceInMetres(a, b)
        expect(there).toBeCloseTo(distanceInMetres(b, a), 3)
        expect(distanceInMetres(a, a)).toBe(0)
        expect(there >= 0 && there <= 20_015_200).toBe(true)
      }),
      runs,
    )
  })
})

describe('the outline of an area', () => {
  const square: Position[] = closed([
    [50.5, 26],
    [50.6, 26],
    [50.6, 26.1],
    [50.5, 26.1],
  ])
  const accepts = (value: unknown) => areaGeometry.safeParse(value).success

  it('accepts polygons and multipolygons with holes', () => {
    expect(accepts({ type: 'Polygon', coordinates: [square, square] })).toBe(true)
    expect(accepts({ type: 'MultiPolygon', coordinates: [[square], [square]] })).toBe(true)
  })

  it('leaves out heights', () => {
    const coordinates = [square.map(([x, y]) => [x, y, 12.5])]
    const parse = (value: unknown) => areaGeometryInput.safeParse(value)
    expect(parse({ type: 'Polygon', coordinates }).data).toEqual({ type: 'Polygon', coordinates: [square] })
    expect(parse({ type: 'MultiPolygon', coordinates: [coordinates] }).data?.coordinates).toEqual([[square]])
    expect(parse({ type: 'Polygon', coordinates: [square.map(([x, y]) => [x, y, 0, 0])] }).success).toBe(false)
    for (const odd of [null, undefined, 7, [], { type: 'Polygon' }]) expect(parse(odd).success).toBe(false)
  })

  it.each([
    null,
    [],
    'Polygon',
    {},
    { type: 'Point', coordinates: [50, 26] },
    { type: '__proto__', coordinates: [square] },
    { type: 'Polygon' },
    { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: [[]] },
    { type: 'Polygon', coordinates: square },
    { type: 'Polygon', coordinates: [square.slice(0, -1)] },
    { type: 'Polygon', coordinates: [square.slice(0, 2)] },
    { type: 'Polygon', coordinates: [[...square.slice(0, -1), [50.5, 91]]] },
    { type: 'Polygon', coordinates: [square.map(([x, y]) => [String(x), y])] },
    { type: 'Polygon', coordinates: [square.map(([x]) => [x, Number.NaN])] },
    { type: 'MultiPolygon', coordinates: [square] },
    { type: 'MultiPolygon', coordinates: [] },
    { type: 'MultiPolygon', coordinates: [[[[[[[50]]]]]]] },
  ])('rejects %j', (bad) => {
    expect(accepts(bad)).toBe(false)
  })

  it('is limited to 20 000 points over all rings', () => {
    const round = (points: number) => closed(Array.from({ length: points - 1 }, (_, n): Position => [50 + n / 1e6, 26]))
    expect(accepts({ type: 'Polygon', coordinates: [round(20_000)] })).toBe(true)
    expect(accepts({ type: 'Polygon', coordinates: [round(20_001)] })).toBe(false)
    expect(accepts({ type: 'MultiPolygon', coordinates: [[round(12_000)], [round(12_000)]] })).toBe(false)
  })

  it('lies within its box, which is the smallest', () => {
    fc.assert(
      fc.property(geometry, (shape) => {
        const box = boxOf(areaGeometry.parse(shape))
        const points = shape.coordinates.flat(shape.type === 'Polygon' ? 1 : 2) as Position[]
        for (const [x, y] of points) expect(isInBox({ lat: y, lng: x }, box)).toBe(true)
        expect(points.some(([x]) => x === box.west) && points.some(([x]) => x === box.east)).toBe(true)
        expect(points.some(([, y]) => y === box.south) && points.some(([, y]) => y === box.north)).toBe(true)
      }),
      runs,
    )
  })
})
