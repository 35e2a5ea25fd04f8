import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapToNeighbours, overlapOf, pointInside } from './coverage.ts'
import { areaGeometry, boxOf, isInBox, type Polygon, type Position } from './geo.ts'
import { atOnce, isInRing, outlineProblem, readOutline } from './outline.ts'

const read = (value: unknown) => atOnce(readOutline(value))
const keyOf = (value: unknown) => {
  const result = read(value)
  return 'problem' in result ? result.problem.key.replace('validation.geometry', '') : null
}
const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates })
const square = (west: number, south: number, size: number): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

describe('an outline', () => {
  it.each([
    [
      'a triangle',
      polygon([
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
    ],
    ['either way round', polygon(square(0, 0, 1).reverse())],
    ['with a hole', polygon(square(0, 0, 10), square(4, 4, 2))],
    ['with a hole that touches the edge', polygon(square(0, 0, 10), square(0, 4, 2))],
    ['of two parts', { type: 'MultiPolygon', coordinates: [[square(0, 0, 1)], [square(5, 5, 1)]] }],
    ['with heights', polygon(square(0, 0, 1).map(([x, y]) => [x, y, 30]))],
    [
      'with a corner twice in a row',
      polygon([
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ]),
    ],
    [
      'that touches itself in a point',
      polygon([
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 1],
        [0, 0],
      ]),
    ],
    ['at the end of the world', polygon(square(179, 89, 1))],
  ])('is accepted: %s', (_, value) => expect(keyOf(value)).toBe(null))

  it.each([
    ['nothing', null, 'Type'],
    ['a text', 'Polygon', 'Type'],
    ['a point', { type: 'Point', coordinates: [50, 26] }, 'Type'],
    ['a line', { type: 'LineString', coordinates: square(0, 0, 1) }, 'Type'],
    ['a collection', { type: 'GeometryCollection', geometries: [] }, 'Type'],
    ['no coordinates', { type: 'Polygon' }, 'Empty'],
    ['no rings', polygon(), 'Empty'],
    ['no points', polygon([]), 'Empty'],
    [
      'two corners',
      polygon([
        [0, 0],
        [1, 0],
        [0, 0],
      ]),
      'Empty',
    ],
    ['no parts', { type: 'MultiPolygon', coordinates: [] }, 'Empty'],
    ['a part of nothing', { type: 'MultiPolygon', coordinates: [[square(0, 0, 1)], []] }, 'Empty'],
    ['an open ring', polygon(square(0, 0, 1).slice(0, 4)), 'Open'],
    [
      'a bow tie',
      polygon([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
      'Crossing',
    ],
    ['two parts that cross', { type: 'MultiPolygon', coordinates: [[square(0, 0, 2)], [square(1, 1, 2)]] }, 'Crossing'],
    ['a hole across the edge', polygon(square(0, 0, 4), square(3, 1, 2)), 'Crossing'],
    ['a hole outside', polygon(square(0, 0, 1), square(5, 5, 1)), 'Hole'],
    [
      'no ground',
      polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
      'Flat',
    ],
    [
      'a single place',
      polygon([
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
      'Flat',
    ],
    ['degrees beyond the world', polygon(square(50, 90, 1)), 'Position'],
    ['texts for numbers', polygon(square(0, 0, 1).map(([x, y]) => [String(x), y])), 'Position'],
    [
      'NaN',
      polygon([
        [Number.NaN, 0],
        [1, 0],
        [1, 1],
        [Number.NaN, 0],
      ]),
      'Position',
    ],
    [
      'infinity',
      polygon([
        [1e309, 0],
        [1, 0],
        [1, 1],
        [1e309, 0],
      ]),
      'Position',
    ],
    [
      'null for a number',
      polygon([
        [null, 0],
        [1, 0],
        [1, 1],
        [null, 0],
      ]),
      'Position',
    ],
    ['four numbers', polygon(square(0, 0, 1).map(([x, y]) => [x, y, 1, 2])), 'Position'],
    ['objects for places', polygon(square(0, 0, 1).map(([lng, lat]) => ({ lng, lat }))), 'Position'],
    ['one list too deep', polygon([square(0, 0, 1)]), 'Position'],
    ['one list too few', { type: 'Polygon', coordinates: square(0, 0, 1) }, 'Position'],
    ['20 001 points', polygon(circle(20_000)), 'Points'],
    ['501 rings', polygon(...Array.from({ length: 501 }, () => square(0, 0, 1))), 'Points'],
  ])('is rejected: %s', (_, value, problem) => expect(keyOf(value)).toBe(problem))

  it.each([
    ['20 000 points', polygon(circle(19_999)), 'geometry'],
    [
      'a hole of 9,900 points outside of its ring',
      polygon(
        circle(9_900),
        circle(9_900).map(([x, y]) => [x + 10, y]),
      ),
      'problem',
    ],
  ])('of %s is parsed in steps', (_, value, outcome) => {
    const steps = readOutline(value)
    let count = 1
    let step = steps.next()
    for (; !step.done; step = steps.next()) count += 1
    expect(step.value).toHaveProperty(outcome)
    // At most 2,000 points a step, read and then compared.
    expect(count).toBeGreaterThanOrEqual(20)
  })

  it('is rejected if checking it exceeds the limit of compared edges', () => {
    const comb: Position[] = [[0, 0]]
    for (let i = 1; i < 9_000; i += 1) comb.push([i % 2 ? 100 : 0.001 * i, i / 1000])
    comb.push([-1, 9], [-1, 0], [0, 0])
    expect(['Complex', 'Crossing']).toContain(keyOf(polygon(comb)))
    const zigzag: Position[] = []
    for (let i = 0; i < 9_000; i += 1) zigzag.push([i % 2 ? 100 : 0, i / 1000])
    zigzag.push([101, 9], [101, -1], [-1, -1], [0, 0])
    expect(['Complex', 'Crossing']).toContain(keyOf(polygon(zigzag)))
  })
})

function circle(points: number): Position[] {
  const ring = Array.from({ length: points }, (_, i): Position => {
    const angle = (i / points) * 2 * Math.PI
    return [50 + Math.cos(angle) * 0.2, 26 + Math.sin(angle) * 0.2]
  })
  const [first] = ring
  return first ? [...ring, first] : ring
}

/** Corners by growing angle around a point never cross each other. */
const starShaped = fc
  .tuple(
    fc.double({ min: -170, max: 170, noNaN: true }),
    fc.double({ min: -80, max: 80, noNaN: true }),
    fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 4, maxLength: 60 }),
  )
  .map(([lng, lat, radii]): Polygon => {
    const ring = radii.map((radius, i): Position => {
      const angle = (i / radii.length) * 2 * Math.PI
      return [lng + Math.cos(angle) * radius, lat + Math.sin(angle) * radius]
    })
    const [first] = ring
    return { type: 'Polygon', coordinates: [first ? [...ring, first] : ring] }
  })

describe('random outlines', () => {
  it('are accepted if no edges cross, with a pin inside', () => {
    fc.assert(
      fc.property(starShaped, (geometry) => {
        expect(atOnce(outlineProblem(geometry))).toBe(null)
        const { lat, lng } = pointInside(geometry)
        expect(isInRing([lng, lat], geometry.coordinates[0] ?? [])).toBe(true)
        expect(isInBox({ lat, lng }, boxOf(geometry))).toBe(true)
      }),
    )
  })

  it('are rejected if two edges cross, as a brute-force comparison finds', () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 9 }), (corners) => {
        const ring: Position[] = [...corners, corners[0] ?? [0, 0]]
        const problem = atOnce(outlineProblem({ type: 'Polygon', coordinates: [ring] }))
        if (problem?.key === 'validation.geometryFlat') return
        expect(problem?.key === 'validation.geometryCrossing').toBe(crossesSomewhere(ring))
      }),
      { numRuns: 500 },
    )
  })

  it('of arbitrary values never make the parser throw', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom('Polygon', 'MultiPolygon'), (coordinates, type) => {
        const result = read({ type, coordinates })
        if ('geometry' in result) expect(areaGeometry.safeParse(result.geometry).success).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('have symmetric overlaps, and none if apart', () => {
    fc.assert(
      fc.property(starShaped, fc.double({ min: 0, max: 3, noNaN: true }), (a, shift) => {
        const b: Polygon = {
          type: 'Polygon',
          coordinates: a.coordinates.map((ring) => ring.map(([x, y]) => [x + shift, y])),
        }
        const [one, other] = [overlapOf(a, b), overlapOf(b, a)]
        expect(one?.squareMetres).toBe(other?.squareMetres)
        if (shift > 2.01) expect(one).toBe(null)
      }),
    )
  })
})

describe('land next to an area', () => {
  const land = { type: 'Polygon' as const, coordinates: [square(50, 26, 0.1)] }
  const area = (west: number, width: number) => ({
    type: 'Polygon' as const,
    coordinates: [
      [
        [west, 26],
        [west + width, 26],
        [west + width, 26.1],
        [west, 26.1],
        [west, 26],
      ] as Position[],
    ],
  })
  it('is a gap if no area covers it, and none otherwise', () => {
    const found = atOnce(gapToNeighbours(area(50, 0.04), [area(50.05, 0.05)], land))
    const expected = 0.01 * 0.1 * 111_195 ** 2 * Math.cos((26.05 * Math.PI) / 180)
    expect(Math.abs((found?.squareMetres ?? 0) / expected - 1)).toBeLessThan(0.02)
    expect(found?.at?.lng).toBeCloseTo(50.045, 3)
    expect(atOnce(gapToNeighbours(area(50, 0.05), [area(50.05, 0.05)], land))).toBe(null)
    expect(
      atOnce(gapToNeighbours(area(50, 0.05), [area(50.05, 0.05)], { type: 'MultiPolygon', coordinates: [] })),
    ).toBe(null)
  })
})

/** Every pair, by exact whole numbers. */
function crossesSomewhere(ring: readonly Position[]): boolean {
  const side = ([ax, ay]: Position, [bx, by]: Position, [x, y]: Position) =>
    Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax))
  const edges = ring.slice(1).map((to, i) => [ring[i] ?? to, to] as const)
  return edges.some(([a, b], i) =>
    edges.slice(i + 1).some(([c, d]) => side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0),
  )
}
