import type { AreaGeometry, Position } from '@qatra/contract/places/geo'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { smallestAt } from '../areas/queries.ts'

/** Corners on a whole grid, so that the expected answer follows from integers, without rounding. */
type Corner = readonly [x: number, y: number]
type Triangle = readonly [Corner, Corner, Corner]

const turn = ([ax, ay]: Corner, [bx, by]: Corner, [px, py]: Corner) => (bx - ax) * (py - ay) - (by - ay) * (px - ax)
const twiceTheSize = ([a, b, c]: Triangle) => Math.abs(turn(a, b, c))

/** Borders included. */
function covers([a, b, c]: Triangle, point: Corner) {
  const turns = [turn(a, b, point), turn(b, c, point), turn(c, a, point)]
  return turns.every((one) => one >= 0) || turns.every((one) => one <= 0)
}

const polygonOf = ([a, b, c]: Triangle): AreaGeometry => ({
  type: 'Polygon',
  coordinates: [[a, b, c, a].map(([x, y]): Position => [x, y])],
})

const SIDE = 12
const coordinate = fc.integer({ min: 0, max: SIDE })
const corner = fc.tuple(coordinate, coordinate)

/** A grid of squares with shared borders, each cut in two along a diagonal: each point of the grid is in a block. */
const tiles: readonly Triangle[] = Array.from({ length: SIDE * SIDE }, (_, i) => [
  i % SIDE,
  Math.floor(i / SIDE),
]).flatMap(([x = 0, y = 0]): Triangle[] => [
  [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
  ],
  [
    [x, y],
    [x + 1, y + 1],
    [x, y + 1],
  ],
])

const blocksOf = (triangles: readonly Triangle[]) =>
  triangles.map((triangle, i) => ({ id: 100 + i, triangle, geometry: polygonOf(triangle) }))
const at = ([lng, lat]: Corner) => ({ lng, lat })

describe('the block of a point', () => {
  it('is one that covers it, at corners and on shared borders too, whatever the order of the blocks', () => {
    const whole = blocksOf(tiles)
    const backwards = whole.toReversed()
    // Halves: points on corners, in the middle of borders and on the diagonals.
    const half = fc.tuple(fc.integer({ min: 0, max: 2 * SIDE }), fc.integer({ min: 0, max: 2 * SIDE }))
    fc.assert(
      fc.property(half, ([x, y]) => {
        const point: Corner = [x / 2, y / 2]
        const found = smallestAt(whole, at(point))
        expect(found && covers(found.triangle, point)).toBe(true)
        expect(smallestAt(backwards, at(point))?.id).toBe(found?.id)
      }),
      { numRuns: 500 },
    )
  })

  it('is the smallest that covers it among overlapping blocks, and none where none does', () => {
    const triangle = fc.tuple(corner, corner, corner).filter((one) => twiceTheSize(one) > 0)
    fc.assert(
      fc.property(fc.array(triangle, { minLength: 1, maxLength: 12 }), corner, (triangles, point) => {
        const covering = triangles.filter((one) => covers(one, point)).map(twiceTheSize)
        const found = smallestAt(blocksOf(triangles), at(point))
        expect(found !== null).toBe(covering.length > 0)
        if (!found) return
        expect(covers(found.triangle, point)).toBe(true)
        // Sizes scale by the latitude of the first corner, so blocks of nearly one size may come in either order.
        expect(twiceTheSize(found.triangle) * Math.cos((SIDE * Math.PI) / 180)).toBeLessThanOrEqual(
          Math.min(...covering),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})
