import { areaGeometry, type Position } from '@qatra/contract/places/geo'
import { governorateByCode } from '@qatra/contract/places/governorates'
import { isInRing } from '@qatra/contract/places/outline'
import { land, placeLabels } from '@qatra/contract/places/places'
import { describe, expect, it } from 'vitest'
import { areaList } from './area-list.ts'
import drawn from './areas.json' with { type: 'json' }
import { areas } from './areas.ts'
import { isInGeometry, polygonsOf, signedArea } from './rings.ts'

const ringsOf = (area: (typeof areas)[number]) => polygonsOf(area.geometry).flat()
const point = ([lng, lat]: Position) => `${lng} ${lat}`
const edgesOf = (ring: readonly Position[]): [Position, Position][] => ring.slice(1).map((to, i) => [ring[i] ?? to, to])
const landEdges = land.coordinates.flat().flatMap(edgesOf)

/** Degrees; a micro-degree is 11 cm. */
function distanceToSegment([x, y]: Position, [[ax, ay], [bx, by]]: [Position, Position]) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay))
}
const isOnCoast = (p: Position) => landEdges.some((edge) => distanceToSegment(p, edge) < 3e-6)

function areCrossing([a, b]: [Position, Position], [c, d]: [Position, Position]) {
  const side = (p: Position, q: Position, r: Position) =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/** The same numbers from 0 to 1 in every run, so that a failure can be reproduced. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('areas of the built-in map', () => {
  it('have the same codes as the list of governorates', () => {
    expect([...governorateByCode.keys()].sort()).toEqual(areas.map(({ areaId }) => areaId).sort())
  })

  it('number 45 to 100, with unique codes and names in both languages', () => {
    expect(areas.length).toBeGreaterThanOrEqual(45)
    expect(areas.length).toBeLessThanOrEqual(100)
    for (const key of ['areaId', 'name', 'nameAr'] as const)
      expect(new Set(areas.map((area) => area[key])).size).toBe(areas.length)
    for (const { areaId, name, nameAr } of areas) {
      expect(areaId).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(name).toMatch(/^[A-Z][A-Za-z' ]+$/)
      expect(nameAr).toMatch(/^[\p{Script=Arabic} ]+$/u)
    }
  })

  it('were generated from the current list of areas', () => {
    expect(Object.keys(drawn)).toEqual(areaList.map(({ areaId }) => areaId))
  })

  it('have closed rings, counter-clockwise outer rings and at most six decimals', () => {
    for (const area of areas) {
      expect(areaGeometry.safeParse(area.geometry).success).toBe(true)
      for (const [outer, ...holes] of polygonsOf(area.geometry)) {
        expect(signedArea(outer ?? [])).toBeGreaterThan(0)
        for (const hole of holes) expect(signedArea(hole)).toBeLessThan(0)
      }
      for (const number of ringsOf(area).flat(2)) expect(Number(number.toFixed(6))).toBe(number)
    }
  })

  it('have rings without repeated points and without crossings', () => {
    for (const ring of areas.flatMap(ringsOf)) {
      const edges = edgesOf(ring)
      expect(new Set(ring.map(point)).size).toBe(edges.length)
      for (const [i, edge] of edges.entries())
        for (const other of edges.slice(i + 1)) expect(areCrossing(edge, other)).toBe(false)
    }
  })

  it('share borders point by point: each edge is on the coast or in a neighbour in the opposite direction', () => {
    const owners = new Map<string, string>()
    for (const area of areas)
      for (const [from, to] of ringsOf(area).flatMap(edgesOf)) {
        const key = `${point(from)} ${point(to)}`
        expect(owners.get(key)).toBeUndefined()
        owners.set(key, area.areaId)
      }
    for (const area of areas)
      for (const [from, to] of ringsOf(area).flatMap(edgesOf)) {
        const neighbour = owners.get(`${point(to)} ${point(from)}`)
        const middle: Position = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]
        if (neighbour === undefined) expect([from, middle, to].every(isOnCoast)).toBe(true)
        else expect(neighbour).not.toBe(area.areaId)
      }
  })

  it('cover the land to 0.01 %', () => {
    const sum = (rings: Position[][]) => rings.reduce((total, ring) => total + signedArea(ring), 0)
    const whole = sum(land.coordinates.flat())
    expect(Math.abs(sum(areas.flatMap(ringsOf)) / whole - 1)).toBeLessThan(0.0001)
  })

  it('cover each random point on land exactly once', () => {
    const random = seededRandom(20_261_121)
    let tried = 0
    while (tried < 10_000) {
      const place: Position = [50.38 + random() * 0.34, 25.78 + random() * 0.55]
      const owners = areas.filter((area) => isInGeometry(place, area.geometry))
      if (!isInGeometry(place, land)) {
        if (owners.length > 0) expect(isOnCoast(place)).toBe(true)
        continue
      }
      tried++
      const isOnBorder = () =>
        areas
          .flatMap(ringsOf)
          .flatMap(edgesOf)
          .some((edge) => distanceToSegment(place, edge) < 3e-6)
      if (owners.length !== 1) expect(isOnBorder()).toBe(true)
    }
  })

  it("contain their own centre and no other area's", () => {
    for (const { areaId, centre } of areas) {
      const owners = areas.filter((area) => isInGeometry([centre.lng, centre.lat], area.geometry))
      expect(owners.map((owner) => owner.areaId)).toEqual([areaId])
    }
  })

  it('contain the label of the map with their name', () => {
    for (const label of placeLabels) {
      const named = areas.find((area) => area.name === label.name)
      if (named) expect(isInGeometry(label.point, named.geometry), label.name).toBe(true)
    }
  })
})

describe('land of the built-in map', () => {
  it('has islands that do not overlap', () => {
    const coasts = land.coordinates.map(([coast]) => coast ?? [])
    for (const [i, coast] of coasts.entries())
      for (const other of coasts.slice(i + 1)) {
        expect(coast.some((p) => isInRing(p, other)) || other.some((p) => isInRing(p, coast))).toBe(false)
      }
  })
})
