import { importBlocks } from '@qatra/contract/places/blocks-admin'
import { isInBahrainBox } from '@qatra/contract/places/geo'
import { reversePlace, searchPlaces } from '@qatra/contract/places/geocode'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areas } from '../areas/bahrain/areas.ts'
import { startShop } from '../test/app.ts'
import { demoCatalogue } from '../test/fixtures/bot-catalogue.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import { searchGazetteer } from './gazetteer.ts'

const shop = await startShop({ role: 'web' })
const ground = demoCatalogue()
const guest = shop.visitor()
const ar = { cookie: 'lang=ar' }
const en = { cookie: 'lang=en' }
const search = async (q: string, headers = en) => (await guest.call(searchPlaces, { query: { q } }, headers)).body
const reverse = async (lat: string, lng: string, headers = en) =>
  (await guest.call(reversePlace, { query: { lat, lng } }, headers)).body

describe('searching the gazetteer', () => {
  it.each([
    ['seef', 'Seef'],
    ['SEEF', 'Seef'],
    ['السيف', 'Seef'],
    ['سيف', 'Seef'],
    ['الرفَاع الشرقى', 'East Riffa'],
    ['جده حفص', null],
    ['جدحفص', 'Jidhafs'],
    ['aali', "A'ali"],
    ['A’ali', "A'ali"],
    ['maameer', "Ma'ameer"],
    ['daih', 'Al Daih'],
    ['428', null],
    ['block 428', null],
    ['مجمع ٤٢٨', null],
    ['seef 428', null],
    ['Seef, Bahrain', 'Seef'],
    ['السيف، البحرين', 'Seef'],
    ['city centre', 'City Centre Bahrain'],
    ['qalat al bahrain', "Qal'at al-Bahrain"],
    ['nowhere at all', null],
  ])('for %s returns %s first', (text, name) => {
    expect(searchGazetteer(ground, text, 5)[0]?.name ?? null).toBe(name)
  })

  it('ranks names that start with the text before names with a matching word', () => {
    const names = searchGazetteer(ground, 'riffa', 5).map(({ name }) => name)
    expect(names[0]).toMatch(/^Riffa/)
    expect(names).toEqual(expect.arrayContaining(['East Riffa', 'West Riffa']))
    expect(names.findIndex((name) => name === 'East Riffa')).toBeGreaterThan(
      names.findIndex((name) => name === 'Riffa Views'),
    )
  })

  it.each([
    '26.2378, 50.5402',
    '٢٦٫٢٣٧٨، ٥٠٫٥٤٠٢',
    `26°14'16.08"N 50°32'24.72"E`,
    'https://www.google.com/maps/place/x/@26.1,50.1,17z/data=!3m1!4b1!3d26.2378!4d50.5402',
    'My home: https://maps.google.com/?q=26.2378,50.5402',
  ])('reads the place that %j says, as exact', async (text) => {
    const [place, ...others] = await search(text)
    expect(others).toEqual([])
    expect(place).toMatchObject({ address: 'Seef', isExact: true })
    expect(place?.lat).toBeCloseTo(26.2378, 5)
    expect(place?.lng).toBeCloseTo(50.5402, 5)
  })

  it('returns at most five places of Bahrain for any text', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constant('((((a+)+)+)$'),
    )
    await fc.assert(
      fc.asyncProperty(text, async (q) => {
        const { status, body } = await guest.call(searchPlaces, { query: { q } })
        // A text with NUL is rejected before the handler.
        expect(status).toBe(q.includes('\0') ? 400 : 200)
        if (status === 200) expect(body.length <= 5 && body.every(isInBahrainBox)).toBe(true)
      }),
      { numRuns: repeated(300, 50) },
    )
  })
})

describe('the search endpoint', () => {
  it('answers in the language of the request', async () => {
    expect((await search('jidhafs', ar))[0]).toMatchObject({ address: 'جدحفص', display_name: 'جدحفص، البحرين' })
    expect((await search('جدحفص', en))[0]).toMatchObject({ address: 'Jidhafs', display_name: 'Jidhafs, Bahrain' })
  })

  it('returns a landmark with its area', async () => {
    expect((await search('city centre'))[0]?.display_name).toMatch(/^City Centre Bahrain, \w+.*, Bahrain$/)
    expect((await search('seef mall'))[0]?.address).toBe('Seef Mall')
  })

  it.each(['', 'ab', 'اب', '  a  ', 'aـ\u064b'])('returns nothing for fewer than three characters: "%s"', async (q) => {
    expect(await search(q)).toEqual([])
  })

  it.each(['q=' + 'a'.repeat(501), 'x=1', ''])('rejects the query %j', async (query) => {
    const { status, refusal } = await guest.send('GET', `/api/geocode/search?${query}`)
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([400, 'INVALID_QUERY', ['q']])
  })
})

describe('the address of a point', () => {
  it('is its area, in the language of the request', async () => {
    expect(await reverse('26.239', '50.5385', ar)).toEqual([
      { lat: 26.239, lng: 50.5385, address: 'السيف', display_name: 'السيف، البحرين', block: null },
    ])
    expect((await reverse('26.239', '50.5385', en))[0]?.address).toBe('Seef')
  })

  it('is the coordinates with five decimals outside of all areas', async () => {
    expect(await reverse('26.3', '50.8')).toEqual([
      { lat: 26.3, lng: 50.8, address: '26.30000, 50.80000', display_name: '26.30000, 50.80000', block: null },
    ])
    expect((await reverse('-33.8688197', '151.2092955'))[0]?.address).toBe('-33.86882, 151.20930')
  })
})

describe('blocks', () => {
  const numbers = /\d{3}/
  const everyArea = areas.map(({ centre }) => [String(centre.lat), String(centre.lng)] as const)

  it('are in no answer without imported blocks', async () => {
    const texts = [
      '428',
      'block 428',
      'مجمع 338',
      '101',
      '1203',
      ...areas.flatMap(({ name, nameAr }) => [name, nameAr]),
    ]
    for (const text of texts)
      for (const { address, block } of await search(text))
        expect([address, block]).toEqual([expect.not.stringMatching(numbers), null])
    for (const [lat, lng] of everyArea)
      expect(await reverse(lat, lng)).toEqual([
        expect.objectContaining({ address: expect.not.stringMatching(numbers), block: null }),
      ])
  })

  it('are found exactly by number and by point once they are imported', async () => {
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    const side = 0.002
    const square = (number: number, west: number, south: number) => ({
      type: 'Feature',
      properties: { number },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [west + side, south],
            [west + side, south + side],
            [west, south + side],
            [west, south],
          ],
        ],
      },
    })
    const features = [square(428, 50.537, 26.238), square(436, 50.537 + side, 26.238), square(4280, 50.7, 26.38)]
    const body = { type: 'FeatureCollection' as const, features, source: 'Land survey', date: '2026-01-31' }
    const { status } = await admin.call(importBlocks, { query: {}, body })
    expect(status).toBe(200)

    for (const text of ['428', '٤٢٨', 'block 428', 'مجمع ٤٢٨', 'seef 428', '428 السيف', 'Block 428, Seef, Bahrain'])
      expect((await search(text))[0], text).toEqual({
        lat: expect.closeTo(26.239, 3),
        lng: expect.closeTo(50.538, 3),
        address: 'Seef, Block 428',
        display_name: 'Seef, Block 428, Bahrain',
        block: 428,
      })
    expect((await search('428', ar))[0]?.address).toBe('السيف، مجمع 428')
    expect((await search('429')).filter(({ block }) => block !== null)).toEqual([])
    expect((await search('seef')).filter(({ block }) => block !== null)).toEqual([])
    expect((await search('4280'))[0]).toMatchObject({ address: 'Block 4280', block: 4280 })

    expect((await reverse('26.239', '50.538'))[0]).toMatchObject({ address: 'Seef, Block 428', block: 428 })
    expect((await reverse('26.239', '50.5405', ar))[0]).toMatchObject({ address: 'السيف، مجمع 436', block: 436 })
    // Beside the blocks only the area is known.
    expect((await reverse('26.236', '50.538'))[0]).toMatchObject({ address: 'Seef', block: null })
  })
})
