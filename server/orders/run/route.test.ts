import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { insertCheapest, lengthOf, type Place, shortRoute } from './route.ts'

const places = (maximum = 40) =>
  fc
    .array(
      fc.record({
        lat: fc.double({ min: 25.8, max: 26.3, noNaN: true }),
        lng: fc.double({ min: 50.4, max: 50.7, noNaN: true }),
      }),
      {
        maxLength: maximum,
      },
    )
    .map((points) => points.map((at, i): Place => ({ id: `S${i}`, at })))
const ids = (list: readonly Place[]) => list.map(({ id }) => id)

describe('a route', () => {
  it('visits every place once, begins at the given one and is never longer than the input', () => {
    fc.assert(
      fc.property(places(), (given) => {
        const found = shortRoute(given)
        expect(ids(found).sort()).toEqual(ids(given).sort())
        expect(found[0]).toEqual(given[0])
        expect(lengthOf(found)).toBeLessThanOrEqual(lengthOf(given))
      }),
      { numRuns: 300 },
    )
  })

  it('is deterministic and does not mutate its input', () => {
    fc.assert(
      fc.property(places(), (given) => {
        const before = structuredClone(given)
        expect(ids(shortRoute(given))).toEqual(ids(shortRoute(given)))
        expect(given).toEqual(before)
      }),
    )
  })

  it('uncrosses what nearest neighbour leaves crossed', () => {
    // One street from its middle: nearest neighbour alternates between both sides.
    const street = [0, 1, -2, 4, -8, 16].map((x, i): Place => ({ id: `S${i}`, at: { lat: 26, lng: 50.5 + x / 1000 } }))
    const right = street.filter(({ at }) => at.lng >= 50.5)
    expect(lengthOf(shortRoute(street))).toBeLessThan(lengthOf(street))
    expect(lengthOf(shortRoute(right))).toBeCloseTo(lengthOf(right), 6)
  })

  it('of places at one point keeps their order', () => {
    const tower = Array.from({ length: 8 }, (_, i): Place => ({ id: `S${i}`, at: { lat: 26.2, lng: 50.5 } }))
    expect(ids(shortRoute(tower))).toEqual(ids(tower))
  })

  it('through 200 places is less than a quarter as long as their given order', () => {
    let seed = 7
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    const many = Array.from(
      { length: 200 },
      (_, i): Place => ({ id: `S${i}`, at: { lat: 26 + random() / 4, lng: 50.4 + random() / 4 } }),
    )
    expect(lengthOf(shortRoute(many))).toBeLessThan(lengthOf(many) / 4)
  })
})

describe('an inserted place', () => {
  it('is where it costs least, and moves no other place', () => {
    fc.assert(
      fc.property(places(20), fc.nat(20), (given, from) => {
        const place: Place = { id: 'NEW', at: { lat: 26.1, lng: 50.5 } }
        const found = insertCheapest(given, place, from)
        expect(ids(found).filter((id) => id !== 'NEW')).toEqual(ids(given))
        expect(ids(found).indexOf('NEW')).toBeGreaterThanOrEqual(Math.min(from, given.length))
        for (let i = Math.min(from, given.length); i <= given.length; i++) {
          const other = [...given.slice(0, i), place, ...given.slice(i)]
          expect(lengthOf(found)).toBeLessThanOrEqual(lengthOf(other) + 1e-6)
        }
      }),
    )
  })
})
