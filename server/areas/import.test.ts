import { listVendors } from '@qatra/contract/vendors/vendors'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { referenceState } from '../test/reference-state.ts'

const shop = await startShop({ role: 'web', databasePoolSize: 15 })
const market = await makeVisitor(shop, { role: 'super_admin' })

type Ring = (readonly unknown[])[]
const ring: Ring = [
  [60, 10],
  [60.1, 10],
  [60.1, 10.1],
  [60, 10.1],
  [60, 10],
]
const good = {
  type: 'Feature',
  properties: { areaId: 'good', name: 'Good' },
  geometry: { type: 'Polygon', coordinates: [ring] },
}
const withGeometry = (geometry: unknown) => ({ ...good, properties: { areaId: 'bad', name: 'Bad' }, geometry })
const polygon = (...coordinates: unknown[]) => withGeometry({ type: 'Polygon', coordinates })
const named = (properties: unknown) => ({ ...good, properties })
const send = (body: unknown, query = '') => market.send('POST', `/api/admin/areas/import${query}`, { body })
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features })

function circle(points: number, centre: number): Ring {
  return Array.from({ length: points + 1 }, (_, i) => {
    const angle = ((i % points) / points) * 2 * Math.PI
    return [Number((centre + Math.cos(angle) * 0.2).toFixed(6)), Number((26 + Math.sin(angle) * 0.2).toFixed(6))]
  })
}
/** All edges overlap in longitude, so every edge is near every other. */
const tangled: Ring = [
  ...Array.from({ length: 19_000 }, (_, i) => [i % 2 ? 100 : 0, i / 1000]),
  [101, 20],
  [101, -1],
  [-1, -1],
  [0, 0],
]

describe('a hostile import file', () => {
  it.each([
    ['an open ring', polygon(ring.slice(0, 4)), 'geometry.coordinates.0'],
    [
      'a bow tie',
      polygon([
        [60, 10],
        [61, 11],
        [61, 10],
        [60, 11],
        [60, 10],
      ]),
      'geometry.coordinates',
    ],
    ['a hole outside', polygon(ring, circle(8, 20)), 'geometry.coordinates.1'],
    ['nothing', null, 'type'],
    ['a text', 'Feature', 'type'],
    ['a bare geometry', good.geometry, 'type'],
    ['no geometry', withGeometry(null), 'geometry'],
    ['an empty polygon', polygon(), 'geometry.coordinates'],
    ['a point', withGeometry({ type: 'Point', coordinates: [50, 26] }), 'geometry.type'],
    [
      'latitudes of 91',
      polygon([
        [60, 91],
        [61, 91],
        [61, 90],
        [60, 91],
      ]),
      'geometry.coordinates.0.0',
    ],
    ['texts for numbers', polygon(ring.map(([x, y]) => [String(x), y])), 'geometry.coordinates.0.0'],
    ['null for a number', polygon([[null, 10], ...ring.slice(1)]), 'geometry.coordinates.0.0'],
    ['100 000 points', polygon(circle(100_000, 50)), 'geometry.coordinates'],
    ['a tangle', polygon(tangled), 'geometry.coordinates'],
    ['a deep nest', polygon(nest(6)), 'geometry.coordinates.0.0'],
    ['no name', named({ areaId: 'bad' }), 'properties.name'],
    ['no properties', named(null), 'properties.name'],
    ['a list for properties', named(['name']), 'properties.name'],
    ['a name of hidden characters', named({ name: 'a\u202eb' }), 'properties.name'],
    ['a name of 101', named({ name: 'x'.repeat(101) }), 'properties.name'],
    ['an object for a name', named({ name: { toString: 'x' } }), 'properties.name'],
    ['a code with spaces', named({ areaId: 'a b', name: 'Bad' }), 'properties.areaId'],
    ['an Arabic name of two lines', named({ name: 'Bad', nameAr: 'ا\nب' }), 'properties.nameAr'],
    ['the same code twice', good, 'properties.areaId'],
  ])('is rejected with row and field and changes nothing: %s', async (_, feature, field) => {
    const before = await referenceState(shop)
    const { status, refusal } = await send(collection(good, feature))
    const failed = refusal.details['failed'] as { row: number; field: string; reason: string }[]
    expect([status, refusal.code, failed.map((one) => [one.row, one.field])]).toEqual([
      422,
      'BULK_REFUSED',
      [[2, field]],
    ])
    expect(failed[0]?.reason).toMatch(/\p{Script=Arabic}/u)
    expect(await referenceState(shop)).toBe(before)
    const dry = await send(collection(good, feature), '?dryRun=true')
    expect([dry.status, dry.body]).toEqual([200, expect.objectContaining({ created: 1, updated: 0, failed })])
  })

  it('changes no prototypes, permissions or other columns', async () => {
    const raw = JSON.stringify(
      collection(named({ areaId: 'proto', name: 'P', id: 1, bounds: 'x', vendorIds: [1] })),
    ).replace('"areaId"', '"__proto__":{"name":"x"},"constructor":{"prototype":{"x":1}},"areaId"')
    const { body } = await market.send('POST', '/api/admin/areas/import', { raw })
    expect(body).toMatchObject({ created: 1 })
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
    const links = await shop.query(
      `select 1 from vendor_delivery_areas d join areas a on a.id = d.area_id where a.area_id = 'proto'`,
    )
    expect(links).toEqual([])
  })

  it.each([
    ['4 MB and a byte', 'x'.repeat(4 * 1024 * 1024 + 1), 413, 'TOO_LARGE'],
    ['21 lists deep', JSON.stringify(collection(withGeometry(nest(30)))), 400, 'BAD_REQUEST'],
    ['NaN', '{"type":"FeatureCollection","features":[NaN]}', 400, 'BAD_REQUEST'],
    ['half a file', '{"type":"FeatureCollection","features":[', 400, 'BAD_REQUEST'],
    ['UTF-16', Buffer.from('\ufeff{"type":"FeatureCollection"}', 'utf16le'), 400, 'BAD_REQUEST'],
  ])('is rejected as a whole: %s', async (_, raw, status, code) => {
    const answer = await market.send('POST', '/api/admin/areas/import', { raw })
    expect([answer.status, answer.refusal.code]).toEqual([status, code])
  })

  it('does not block the event loop, even 10 at once', async () => {
    const bombs = [
      collection(polygon(tangled)),
      collection(polygon(circle(100_000, 50))),
      collection(
        ...Array.from({ length: 9 }, (_, i) => ({
          ...polygon(circle(15_000, 50)),
          properties: { areaId: `b${i}`, name: 'B' },
        })),
      ),
    ].map((body) => JSON.stringify(body))
    const address = await shop.app.http.listen({ port: 0, host: '127.0.0.1' })
    const cookie = [...market.cookies].map((pair) => pair.join('=')).join('; ')
    const post = (body: string) =>
      fetch(`${address}/api/admin/areas/import?dryRun=true`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', cookie },
      })
    let turns = 0
    let others = 0
    let isOver = false
    const turning = (async () => {
      for (; !isOver; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5))
    })()
    const asking = (async () => {
      for (; !isOver; others += 1) await (await fetch(`${address}${listVendors.path}`)).text()
    })()
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i * 50))
        return post(bombs[i % 3] ?? '')
      }),
    )
    isOver = true
    await Promise.all([turning, asking])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    // One blocking import would leave a turn for each file.
    expect([turns > 200, others > 20]).toEqual([true, true])
  })
})

function nest(depth: number): unknown {
  return depth === 0 ? [60, 10] : [nest(depth - 1)]
}
