import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joined, lengthOf, type Place, shortRoute } from './route.ts'

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
  it('visits every place once, begins where it is told and is never longer than the places as given', () => {
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

  it('is the same for the same places, and leaves what it was given as it was', () => {
    fc.assert(
      fc.property(places(), (given) => {
        const before = structuredClone(given)
        expect(ids(shortRoute(given))).toEqual(ids(shortRoute(given)))
        expect(given).toEqual(before)
      }),
    )
  })

  it('uncrosses what nearest neighbour leaves crossed', () => {
    // One street, walked from its middle: the nearest next house sends one to and fro.
    const street = [0, 1, -2, 4, -8, 16].map((x, i): Place => ({ id: `S${i}`, at: { lat: 26, lng: 50.5 + x / 1000 } }))
    const right = street.filter(({ at }) => at.lng >= 50.5)
    expect(lengthOf(shortRoute(street))).toBeLessThan(lengthOf(street))
    expect(lengthOf(shortRoute(right))).toBeCloseTo(lengthOf(right), 6)
  })

  it('of places in one spot stays in order', () => {
    const tower = Array.from({ length: 8 }, (_, i): Place => ({ id: `S${i}`, at: { lat: 26.2, lng: 50.5 } }))
    expect(ids(shortRoute(tower))).toEqual(ids(tower))
  })

  it('through 200 places takes no longer than 50 ms', () => {
    let seed = 7
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    const many = Array.from(
      { length: 200 },
      (_, i): Place => ({ id: `S${i}`, at: { lat: 26 + random() / 4, lng: 50.4 + random() / 4 } }),
    )
    shortRoute(many)
    const times = Array.from({ length: 5 }, () => {
      const begun = performance.now()
      shortRoute(many)
      return performance.now() - begun
    })
    expect(Math.min(...times)).toBeLessThan(50)
    expect(lengthOf(shortRoute(many))).toBeLessThan(lengthOf(many) / 4)
  })
})

describe('one more place', () => {
  it('joins where it costs least, and moves nothing else', () => {
    fc.assert(
      fc.property(places(20), fc.nat(20), (given, from) => {
        const place: Place = { id: 'NEW', at: { lat: 26.1, lng: 50.5 } }
        const found = joined(given, place, from)
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
