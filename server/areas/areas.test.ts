import { findAreaAt, getArea, listAreas } from '@qatra/contract/places/areas'
import type { AreaGeometry, Position } from '@qatra/contract/places/geo'
import { land } from '@qatra/contract/places/places'
import { deliversTo } from '@qatra/contract/vendors/vendors'
import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { areas as seeded } from './bahrain/areas.ts'
import { areaAt } from './queries.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()

const square = (west: number, south: number, size: number): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const catalogueOf = (geometries: AreaGeometry[]) => ({
  areas: new Map(
    geometries.map((geometry, i) => [
      i + 1,
      { id: i + 1, areaId: `a${i + 1}`, name: '', nameAr: null, geometry, centre: { lat: 0, lng: 0 } },
    ]),
  ),
})
const at = (catalogue: ReturnType<typeof catalogueOf>, lng: number, lat: number) => areaAt(catalogue, { lat, lng })?.id

describe('the area of a point', () => {
  const holed = catalogueOf([
    { type: 'Polygon', coordinates: [square(0, 0, 10), square(4, 4, 2)] },
    { type: 'MultiPolygon', coordinates: [[square(20, 0, 1)], [square(30, 0, 4), square(31, 1, 2)]] },
  ])

  it('includes the border and every corner', () => {
    for (const [lng, lat] of [...square(0, 0, 10), [5, 0], [10, 5], [0.1, 10]] as Position[])
      expect(at(holed, lng, lat)).toBe(1)
  })

  it('excludes holes, but not their border', () => {
    expect(at(holed, 5, 5)).toBeUndefined()
    expect(at(holed, 4, 5)).toBe(1)
    expect(at(holed, 32, 2)).toBeUndefined()
  })

  it('includes each part of a multipolygon and nothing between the parts', () => {
    expect(at(holed, 20.5, 0.5)).toBe(2)
    expect(at(holed, 30.5, 0.5)).toBe(2)
    expect(at(holed, 25, 0.5)).toBeUndefined()
  })

  it('is the smaller of two overlapping areas, and the older of two equal ones, in any order', () => {
    const big: AreaGeometry = { type: 'Polygon', coordinates: [square(0, 0, 10)] }
    const small: AreaGeometry = { type: 'Polygon', coordinates: [square(2, 2, 3)] }
    expect(at(catalogueOf([big, small]), 3, 3)).toBe(2)
    expect(at(catalogueOf([small, big]), 3, 3)).toBe(1)
    expect(at(catalogueOf([small, small]), 3, 3)).toBe(1)
    // A hole makes an area smaller.
    expect(at(catalogueOf([big, { type: 'Polygon', coordinates: [square(0, 0, 10), square(7, 7, 1)] }]), 3, 3)).toBe(2)
  })

  it('equals the result of a scan of all areas for any point', () => {
    const catalogue = catalogueOf(seeded.map(({ geometry }) => geometry))
    const point = fc.tuple(
      fc.double({ min: 50.35, max: 50.75, noNaN: true }),
      fc.double({ min: 25.75, max: 26.35, noNaN: true }),
    )
    fc.assert(
      fc.property(point, ([lng, lat]) => {
        const covering = seeded.flatMap(({ geometry }, i) =>
          booleanPointInPolygon([lng, lat], geometry) ? [i + 1] : [],
        )
        const found = at(catalogue, lng, lat)
        expect(covering.length > 0 ? covering : [undefined]).toContain(found)
        // On land there is exactly one area, except for rounding along the shore.
        if (covering.length !== 1 && booleanPointInPolygon([lng, lat], land)) expect(nearBorder([lng, lat])).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  function nearBorder([lng, lat]: Position) {
    const around = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => (i * Math.PI) / 4)
    return around.some((angle) => {
      const moved: Position = [lng + Math.cos(angle) * 3e-5, lat + Math.sin(angle) * 3e-5]
      const count = seeded.filter(({ geometry }) => booleanPointInPolygon(moved, geometry)).length
      return count === 1
    })
  }
})

describe('areas over HTTP', () => {
  const find = (query: string) => guest.send('GET', `/api/areas/coordinates?${query}`)

  it('are listed by name with the vendors that serve them', async () => {
    const { body } = await guest.call(listAreas)
    expect(body.length).toBe(seeded.length)
    expect(body.map(({ name }) => name)).toEqual(body.map(({ name }) => name).sort())
    expect(body.every(({ vendorIds }) => vendorIds.includes(1))).toBe(true)
    expect(body[0]).not.toHaveProperty('geometry')
  })

  it('are found by a point and by id, by id with their outline', async () => {
    const { body } = await guest.call(findAreaAt, { query: { lat: '26.239', lng: '50.5385' } })
    expect(body).toMatchObject({ areaId: 'seef', name: 'Seef', nameAr: 'السيف' })
    const one = await guest.call(getArea, { params: { id: String(body.id) } })
    expect(one.body).toMatchObject({ ...body, geometry: { type: expect.stringMatching(/Polygon$/) } })
  })

  it.each(['lat=26.2&lng=50.75', 'lat=0&lng=0', 'lat=90&lng=180', 'lat=-90&lng=-180'])(
    'return AREA_NOT_FOUND at %s',
    async (query) => {
      const { status, refusal } = await find(query)
      expect([status, refusal.code]).toEqual([404, 'AREA_NOT_FOUND'])
    },
  )

  it.each([
    ['lat=91&lng=50.5', ['lat']],
    ['lat=-90.1&lng=50.5', ['lat']],
    ['lat=26&lng=181', ['lng']],
    ['lat=NaN&lng=50.5', ['lat']],
    ['lat=Infinity&lng=50.5', ['lat']],
    ['lat=2e1&lng=50.5', ['lat']],
    ['lat=0x1a&lng=50.5', ['lat']],
    ['lat=%2026&lng=50.5', ['lat']],
    ['lat=&lng=50.5', ['lat']],
    ['lat=٢٦&lng=50.5', ['lat']],
    ['lng=50.5', ['lat']],
    ['', ['lat', 'lng']],
  ])('reject the query %j', async (query, fields) => {
    for (const path of ['areas/coordinates', 'geocode/reverse']) {
      const { status, refusal } = await guest.send('GET', `/api/${path}?${encodeURI(decodeURI(query))}`)
      expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([400, 'INVALID_QUERY', fields])
    }
  })

  it('report whether a vendor delivers there', async () => {
    const seef = (await guest.call(listAreas)).body.find(({ areaId }) => areaId === 'seef')
    const ask = (vendorId: string, areaId: string) => guest.call(deliversTo, { params: { vendorId, areaId } })
    expect((await ask('1', String(seef?.id))).body).toEqual({ delivers: true })
    expect((await ask('7', String(seef?.id))).body).toEqual({ delivers: false })
    expect((await ask('999', String(seef?.id))).refusal.code).toBe('VENDOR_NOT_FOUND')
    expect((await ask('1', '99999')).refusal.code).toBe('AREA_NOT_FOUND')
    expect((await guest.send('GET', '/api/vendors/1/delivers-to/x')).status).toBe(404)
    expect((await guest.call(getArea, { params: { id: '99999' } })).refusal.code).toBe('AREA_NOT_FOUND')
  })
})
