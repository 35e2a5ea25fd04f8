import { getArea, listAreas } from '@qatra/contract/places/areas'
import { createArea, deleteArea, importAreas, listManagedAreas, updateArea } from '@qatra/contract/places/areas-admin'
import type { AreaGeometry, Position } from '@qatra/contract/places/geo'
import { deliversTo } from '@qatra/contract/vendors/vendors'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import { referenceState } from '../test/reference-state.ts'
import { areas as seeded } from './bahrain/areas.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()
const market = await makeVisitor(shop, { role: 'super_admin' })
const own = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 2 })

const ring = (west: number, south: number, size = 0.02): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const square = (west: number, south: number, size?: number): AreaGeometry => ({
  type: 'Polygon',
  coordinates: [ring(west, south, size)],
})
const params = (id: number) => ({ id: String(id) })
const auditOf = (id: number) =>
  shop.query<{ action: string; old_values: object | null; new_values: object | null }>(
    `select action, old_values, new_values from audit_log where resource = 'area' and resource_id = $1 order by id`,
    [String(id)],
  )
const at = async (lat: number, lng: number) =>
  (await guest.send('GET', `/api/areas/coordinates?lat=${lat}&lng=${lng}`)).body as { id?: number; name?: string }

describe('an area', () => {
  it('is found by point as soon as it is created, with a code from its name, its box and a pin inside', async () => {
    const { status, body } = await market.call(createArea, {
      body: { name: 'New Harbour', nameAr: 'المرفأ الجديد', geometry: square(40, 20) },
    })
    expect([status, body.areaId, body.warnings]).toEqual([200, 'new-harbour', []])
    expect(await at(20.01, 40.01)).toMatchObject({ id: body.id, name: 'New Harbour', nameAr: 'المرفأ الجديد' })
    expect(await at(body.centre.lat, body.centre.lng)).toMatchObject({ id: body.id })
    const [row] = await shop.query('select bounds::text from areas where id = $1', [body.id])
    expect(row).toEqual({ bounds: '(40.02,20.02),(40,20)' })
    const [audit] = await auditOf(body.id)
    expect(audit).toMatchObject({ action: 'created', new_values: { name: 'New Harbour', geometry: square(40, 20) } })
    const again = await market.call(createArea, { body: { name: 'New Harbour', geometry: square(41, 20) } })
    expect(again.body.areaId).toBe('new-harbour-2')
  })

  it('may be sent as GeoJSON with heights, which are not kept', async () => {
    const geometry = { type: 'Polygon', coordinates: [ring(45, 20).map(([lng, lat]) => [lng, lat, 3])] }
    const headers = { 'content-type': 'application/geo+json' }
    const raw = JSON.stringify({ name: 'High Harbour', geometry })
    const { status, body } = await market.send('POST', createArea.path, { raw, headers })
    expect([status, body]).toMatchObject([200, { geometry: square(45, 20) }])
    const feature = { type: 'Feature', properties: { name: 'Higher Harbour' }, geometry }
    const file = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
    const imported = await market.send('POST', `${importAreas.path}?dryRun=true`, { raw: file, headers })
    expect([imported.status, imported.body]).toMatchObject([200, { created: 1, failed: [] }])
  })

  it('is found at its new place after a change of its outline', async () => {
    const { body } = await market.call(createArea, { body: { name: 'Drifting', geometry: square(42, 20) } })
    await market.call(updateArea, { params: params(body.id), body: { geometry: square(43, 21), nameAr: 'عائمة' } })
    expect((await at(20.01, 42.01)).id).toBeUndefined()
    expect((await at(21.01, 43.01)).id).toBe(body.id)
    expect((await auditOf(body.id)).at(-1)).toEqual({
      action: 'updated',
      old_values: { nameAr: null, geometry: square(42, 20) },
      new_values: { nameAr: 'عائمة', geometry: square(43, 21) },
    })
    const { body: same } = await market.call(updateArea, { params: params(body.id), body: { name: 'Drifting' } })
    expect(same.nameAr).toBe('عائمة')
    expect(await auditOf(body.id)).toHaveLength(2)
  })

  it('removes its links to vendors when deleted, and orders keep its name', async () => {
    const { areaId, vendor, order } = await makeHousehold(shop)
    const id = await order()
    const [named] = await shop.query('select area_id, area_name, area_name_ar from orders where id = $1', [id])
    expect((await market.call(deleteArea, { params: params(areaId) })).body).toEqual({ success: true })
    expect((await guest.call(getArea, { params: params(areaId) })).status).toBe(404)
    expect(await shop.query('select 1 from vendor_delivery_areas where area_id = $1', [areaId])).toEqual([])
    expect(await shop.query('select area_id, area_name, area_name_ar from orders where id = $1', [id])).toEqual([named])
    const delivers = await guest.call(deliversTo, { params: { vendorId: String(vendor), areaId: String(areaId) } })
    expect(delivers.refusal.code).toBe('AREA_NOT_FOUND')
    expect((await market.call(deleteArea, { params: params(areaId) })).status).toBe(404)
  })

  it("that overlaps another is saved with a warning that has the overlap's size and hatching", async () => {
    const { body: first } = await market.call(createArea, { body: { name: 'One', geometry: square(44, 20) } })
    const { body } = await market.call(createArea, { body: { name: 'Two', geometry: square(44.01, 20) } })
    expect(body.warnings).toHaveLength(1)
    expect(body.warnings[0]).toMatchObject({ kind: 'overlap', id: first.id, name: 'One' })
    // Half of a square of 0.02 degrees at 20° north.
    const expected = 0.01 * 0.02 * 111_195 ** 2 * Math.cos((20.01 * Math.PI) / 180)
    expect(Math.abs((body.warnings[0]?.squareMetres ?? 0) / expected - 1)).toBeLessThan(0.01)
    expect(body.warnings[0]?.strokes.length).toBeGreaterThan(20)
    const neighbour = await market.call(createArea, { body: { name: 'Three', geometry: square(44.03, 20) } })
    expect(neighbour.body.warnings).toEqual([])
  })

  it('that leaves land uncovered or has swapped axes is saved with a warning', async () => {
    const seef = (await guest.call(listAreas)).body.find(({ areaId }) => areaId === 'seef')
    const was = seeded.find(({ areaId }) => areaId === 'seef')
    if (!seef || !was) throw new Error('Seef is gone')
    const small = square(50.535, 26.236, 0.004)
    const { body } = await market.call(updateArea, { params: params(seef.id), body: { geometry: small } })
    expect(body.warnings.map(({ kind }) => kind)).toEqual(['gap'])
    expect(body.warnings[0]?.squareMetres).toBeGreaterThan(100_000)
    const back = await market.call(updateArea, { params: params(seef.id), body: { geometry: was.geometry } })
    expect(back.body.warnings).toEqual([])
    const swapped = await market.call(createArea, { body: { name: 'Poland', geometry: square(26.2, 50.5) } })
    expect([swapped.status, swapped.body.warnings.map(({ kind }) => kind)]).toEqual([200, ['swapped']])
  })

  it('is rejected with the code of another area, also under concurrent requests', async () => {
    const make = () => market.call(createArea, { body: { name: 'Twin', areaId: 'twin', geometry: square(45, 20) } })
    const answers = await Promise.all([make(), make(), make()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    const { refusal } = await market.call(createArea, { body: { name: 'X', areaId: 'seef', geometry: square(46, 20) } })
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(['areaId'])
    const twin = answers.find(({ status }) => status === 200)?.body.id ?? 0
    const moved = await market.call(updateArea, { params: params(twin), body: { areaId: 'seef' } })
    expect([moved.status, Object.keys(moved.refusal.details.fields ?? {})]).toEqual([422, ['areaId']])
  })

  it('can be read by vendor staff and changed only by the marketplace', async () => {
    const before = await referenceState(shop)
    const { status, body } = await own.call(listManagedAreas)
    expect([status, body.length > 60, body[0]?.geometry.type]).toEqual([200, true, expect.stringMatching(/Polygon$/)])
    const area = { name: 'Mine', geometry: square(47, 20) }
    const sent = [
      ['POST', '/api/admin/areas', area],
      ['PATCH', '/api/admin/areas/1', area],
      ['DELETE', '/api/admin/areas/1', undefined],
      ['POST', '/api/admin/areas/import', { type: 'FeatureCollection', features: [] }],
    ] as const
    for (const [method, path, body] of sent) expect((await own.send(method, path, { body })).status).toBe(403)
    expect(await referenceState(shop)).toBe(before)
  })

  it('ignores columns that are not in the schema', async () => {
    const body = {
      name: 'Plain',
      geometry: square(48, 20),
      id: 1,
      oldDbId: 'x',
      bounds: 'x',
      centreLat: 1,
      createdAt: '2000-01-01',
    }
    const { body: made } = await market.send('POST', '/api/admin/areas', { body })
    expect(made).toMatchObject({ oldDbId: null, centre: { lat: expect.closeTo(20.01, 3) } })
    expect((made as { id: number }).id).toBeGreaterThan(71)
  })
})

const feature = (properties: object | null, geometry: unknown) => ({ type: 'Feature', properties, geometry })
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection' as const, features })

describe('import of areas', () => {
  it('creates and updates areas by code', async () => {
    const body = collection(
      feature({ areaId: 'imported-1', name: 'Imported', name_ar: 'مستوردة' }, square(30, 20)),
      feature(
        { code: 4711, name: 'By number' },
        { type: 'MultiPolygon', coordinates: [[ring(30.5, 20)], [ring(30.6, 20)]] },
      ),
      feature({ name: 'No code at all' }, { type: 'Polygon', coordinates: [ring(31, 20).map(([x, y]) => [x, y, 12])] }),
    )
    const dry = await market.call(importAreas, { query: { dryRun: 'true' }, body })
    expect(dry.body).toMatchObject({ created: 3, updated: 0, failed: [] })
    expect((await at(20.01, 30.01)).id).toBeUndefined()
    expect((await market.call(importAreas, { body })).body).toMatchObject({ created: 3, updated: 0, failed: [] })
    expect(await at(20.01, 30.61)).toMatchObject({ areaId: '4711', name: 'By number' })
    const moved = collection(feature({ areaId: 'imported-1' }, square(32, 20)), ...body.features.slice(1))
    expect((await market.call(importAreas, { body: moved })).body).toMatchObject({ created: 0, updated: 3, failed: [] })
    expect(await at(20.01, 32.01)).toMatchObject({ areaId: 'imported-1', name: 'Imported', nameAr: 'مستوردة' })
  })

  it('warns of overlaps within the file', async () => {
    const body = collection(
      feature({ areaId: 'w1', name: 'A' }, square(33, 20)),
      feature({ areaId: 'w2', name: 'B' }, square(33.01, 20)),
    )
    const { body: answer } = await market.call(importAreas, { query: { dryRun: 'true' }, body })
    expect(answer.warnings.map(({ row, kind, name, id }) => [row, kind, name, id])).toEqual([
      [1, 'overlap', 'B', null],
      [2, 'overlap', 'A', null],
    ])
  })

  it('changes nothing if one row is invalid, unless a partial import is requested', async () => {
    const before = await referenceState(shop)
    const body = collection(
      feature({ areaId: 'good', name: 'Good' }, square(34, 20)),
      feature({ areaId: 'bad' }, square(35, 20)),
    )
    const all = await market.call(importAreas, { body }, { 'accept-language': 'en' })
    expect([all.status, all.refusal.code, all.refusal.details['failed']]).toEqual([
      422,
      'BULK_REFUSED',
      [{ row: 2, field: 'properties.name', reason: 'This field is required' }],
    ])
    expect(await referenceState(shop)).toBe(before)
    const some = await market.call(importAreas, { query: { partial: 'true' }, body })
    expect([some.status, some.body.created, some.body.failed.length]).toEqual([200, 1, 1])
  })

  it('returns 422 with the field for a body that is not a feature collection', async () => {
    for (const body of [
      {},
      { type: 'Feature', features: [] },
      collection(),
      { type: 'FeatureCollection', features: {} },
      [],
    ]) {
      const { status, refusal } = await market.send('POST', '/api/admin/areas/import', { body })
      expect([status, refusal.code]).toEqual([422, 'INVALID_BODY'])
    }
    const many = collection(...Array.from({ length: 1001 }, () => null))
    expect(
      (await market.send('POST', '/api/admin/areas/import', { body: many })).refusal.details.fields,
    ).toHaveProperty('features')
  })
})
