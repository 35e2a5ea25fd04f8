import { deleteArea } from '@qatra/contract/places/areas-admin'
import * as api from '@qatra/contract/places/blocks-admin'
import { reversePlace } from '@qatra/contract/places/geocode'
import { beforeEach, describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeArea, makeVisitor } from '../test/fixtures/make.ts'
import { referenceState } from '../test/reference-state.ts'

const shop = await startShop({ role: 'web' })
const admin = await makeVisitor(shop, { role: 'super_admin' })

type Ring = (readonly unknown[])[]
const square = (west: number, south: number, side = 0.1): Ring => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const feature = (properties: unknown, ring: Ring = square(60, 40)) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ring] },
})
const fileOf = (...features: unknown[]) => ({
  type: 'FeatureCollection' as const,
  features,
  source: 'Survey and Land Registration Bureau',
  date: '2026-01-31',
})
const send = (body: unknown, query = '') => admin.send('POST', `/api/admin/blocks/import${query}`, { body })
const list = async (search?: string) =>
  (await admin.call(api.listBlocks, { query: { limit: '100', ...(search && { search }) } })).body
const numbers = async (search?: string) => (await list(search)).items.map(({ number }) => number)
const audited = () =>
  shop.query<{ action: string; resource: string; new_values: unknown }>(
    `select action, resource, new_values from audit_log where resource in ('block', 'blocks') order by id desc limit 1`,
  )

beforeEach(async () => {
  await admin.call(api.deleteBlocks, {})
})

describe('an import of blocks', () => {
  it('creates blocks with their area, source and date, and updates known numbers', async () => {
    const { areaId, lat, lng } = await makeArea(shop, [])
    const within = square(lng - 0.001, lat - 0.001, 0.002)
    const first = await send(fileOf(feature({ number: 428 }, within), feature({ block: '٤٣٦' })))
    expect([first.status, first.body]).toEqual([200, { created: 2, updated: 0, outside: 1, failed: [] }])
    expect((await list()).items).toEqual([
      {
        id: expect.any(Number),
        number: 428,
        area: expect.objectContaining({ id: areaId }),
        source: 'Survey and Land Registration Bureau',
        date: '2026-01-31',
      },
      expect.objectContaining({ number: 436, area: null }),
    ])
    expect(await audited()).toEqual([
      expect.objectContaining({
        action: 'imported',
        resource: 'blocks',
        new_values: { count: 2, source: 'Survey and Land Registration Bureau', date: '2026-01-31' },
      }),
    ])

    const again = await send({ ...fileOf(feature({ BLOCK_NO: 428 })), source: 'Newer', date: '2026-11-01' })
    expect(again.body).toEqual({ created: 0, updated: 1, outside: 1, failed: [] })
    expect((await list()).items[0]).toMatchObject({ number: 428, area: null, source: 'Newer', date: '2026-11-01' })
  })

  it('takes the area that a feature names by its code', async () => {
    const { areaId } = await makeArea(shop, [])
    const [{ area_id: code } = { area_id: '' }] = await shop.query<{ area_id: string }>(
      'select area_id from areas where id = $1',
      [areaId],
    )
    expect((await send(fileOf(feature({ number: 428, areaId: code })))).body).toMatchObject({ created: 1, outside: 0 })
    expect((await list()).items[0]?.area?.id).toBe(areaId)
    // A deleted area leaves its blocks.
    await admin.call(deleteArea, { params: { id: String(areaId) } })
    expect((await list()).items[0]).toMatchObject({ number: 428, area: null })
  })

  it('changes nothing in a dry run, and writes the valid blocks of a partial one', async () => {
    await send(fileOf(feature({ number: 428 })))
    const before = await referenceState(shop)
    const mixed = fileOf(feature({ number: 428 }), feature({ number: 436 }), feature({ number: 7 }))
    const dry = await send(mixed, '?dryRun=true')
    expect(dry.body).toMatchObject({ created: 1, updated: 1, outside: 2, failed: [{ row: 3 }] })
    expect(await referenceState(shop)).toBe(before)
    expect((await send(mixed)).status).toBe(422)
    expect(await referenceState(shop)).toBe(before)
    expect((await send(mixed, '?partial=true')).body).toMatchObject({ created: 1, updated: 1, failed: [{ row: 3 }] })
    expect(await numbers()).toEqual([428, 436])
  })

  it.each([
    ['no number', feature({}), 'properties.number'],
    ['no properties', feature(null), 'properties.number'],
    ['a number of two digits', feature({ number: 42 }), 'properties.number'],
    ['a number of five digits', feature({ number: '12345' }), 'properties.number'],
    ['a fraction', feature({ number: 428.5 }), 'properties.number'],
    ['a text', feature({ number: '42a' }), 'properties.number'],
    ['an object for a number', feature({ number: { valueOf: 428 } }), 'properties.number'],
    ['the same number twice', feature({ number: 428 }), 'properties.number'],
    ['an unknown area', feature({ number: 436, areaId: 'nowhere' }), 'properties.areaId'],
    ['an object for an area', feature({ number: 436, areaId: {} }), 'properties.areaId'],
    ['an open ring', feature({ number: 436 }, square(60, 40).slice(0, 4)), 'geometry.coordinates.0'],
    ['a point', { ...feature({ number: 436 }), geometry: { type: 'Point', coordinates: [50, 26] } }, 'geometry.type'],
    ['nothing', null, 'type'],
  ])('is refused with row and field and changes nothing: %s', async (_, bad, field) => {
    const before = await referenceState(shop)
    const { status, refusal } = await send(fileOf(feature({ number: 428 }), bad))
    const failed = refusal.details['failed'] as { row: number; field: string; reason: string }[]
    expect([status, refusal.code, failed.map((one) => [one.row, one.field])]).toEqual([
      422,
      'BULK_REFUSED',
      [[2, field]],
    ])
    expect(failed[0]?.reason).toMatch(/\p{Script=Arabic}/u)
    expect(await referenceState(shop)).toBe(before)
  })

  it.each([
    ['no source', { source: undefined }, 'source'],
    ['a source of two characters', { source: 'ab' }, 'source'],
    ['a source of two lines', { source: 'Land\nsurvey' }, 'source'],
    ['no date', { date: undefined }, 'date'],
    ['31 February', { date: '2026-02-31' }, 'date'],
    ['1001 features', { features: Array.from({ length: 1001 }, () => null) }, 'features'],
    ['no features', { features: [] }, 'features'],
  ])('is refused as a whole: %s', async (_, change, field) => {
    const { status, refusal } = await send({ ...fileOf(feature({ number: 428 })), ...change })
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([422, 'INVALID_BODY', [field]])
    expect(await numbers()).toEqual([])
  })

  it('by two admins at once stores each number once', async () => {
    const features = Array.from({ length: 60 }, (_, i) => feature({ number: 300 + i }))
    const answers = await Promise.all([send(fileOf(...features)), send(fileOf(...features.toReversed()))])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const counted = answers.map(({ body }) => body as { created: number; updated: number })
    expect(counted.reduce((sum, { created }) => sum + created, 0)).toBe(60)
    expect(counted.reduce((sum, { updated }) => sum + updated, 0)).toBe(60)
    expect(await numbers()).toHaveLength(60)
  })
})

describe('the list of blocks', () => {
  it('finds blocks by the first digits, in any script, and by the name of their area', async () => {
    const { areaId } = await makeArea(shop, [])
    const [named = { area_id: '', name: '' }] = await shop.query<{ area_id: string; name: string }>(
      'select area_id, name from areas where id = $1',
      [areaId],
    )
    const features = [101, 428, 436, 1042].map((number) => feature({ number }))
    await send(fileOf(...features, feature({ number: 777, areaId: named.area_id })))
    expect(await numbers()).toEqual([101, 428, 436, 777, 1042])
    expect(await numbers('4')).toEqual([428, 436])
    expect(await numbers('٤٢')).toEqual([428])
    expect(await numbers(named.name.toUpperCase())).toEqual([777])
    expect(await numbers('%')).toEqual([])
    const { body } = await admin.call(api.listBlocks, { query: { limit: '2', page: '2' } })
    expect([body.items.map(({ number }) => number), body.total]).toEqual([[436, 777], 5])
  })

  it('no longer contains a block after its removal, and neither does the search by coordinates', async () => {
    await send(fileOf(feature({ number: 428 }), feature({ number: 436 }, square(61, 40))))
    const reverse = async () =>
      (await shop.visitor().call(reversePlace, { query: { lat: '40.05', lng: '60.05' } })).body[0]?.block
    expect(await reverse()).toBe(428)
    const [first] = (await list()).items
    expect((await admin.call(api.deleteBlock, { params: { id: String(first?.id) } })).status).toBe(200)
    expect(await reverse()).toBeNull()
    expect((await admin.send('DELETE', `/api/admin/blocks/${first?.id}`)).refusal.code).toBe('BLOCK_NOT_FOUND')
    expect((await admin.call(api.deleteBlocks, {})).body).toEqual({ removed: 1 })
    expect(await audited()).toEqual([expect.objectContaining({ action: 'deleted', new_values: { count: 1 } })])
    expect(await numbers()).toEqual([])
  })
})
