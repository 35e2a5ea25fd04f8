import { isInBahrainBox } from '@qatra/contract/geo'
import { reversePlace, searchPlaces } from '@qatra/contract/geocode'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { searchGazetteer } from './gazetteer.ts'

const shop = await startShop()
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
    ['428', 'Block 428, Seef'],
    ['٤٢٨', 'Block 428, Seef'],
    ['block 428', 'Block 428, Seef'],
    ['مجمع ٤٢٨', 'Block 428, Seef'],
    ['seef 428', 'Block 428, Seef'],
    ['Seef, Bahrain', 'Seef'],
    ['السيف، البحرين', 'Seef'],
    ['city centre', 'City Centre Bahrain'],
    ['qalat al bahrain', "Qal'at al-Bahrain"],
    ['nowhere at all', null],
  ])('for %s returns %s first', (text, name) => {
    expect(searchGazetteer(text, 5)[0]?.name ?? null).toBe(name)
  })

  it('ranks names that start with the text before names with a matching word', () => {
    const names = searchGazetteer('riffa', 5).map(({ name }) => name)
    expect(names[0]).toMatch(/^Riffa/)
    expect(names).toEqual(expect.arrayContaining(['East Riffa', 'West Riffa']))
    expect(names.findIndex((name) => name === 'East Riffa')).toBeGreaterThan(
      names.findIndex((name) => name === 'Riffa Views'),
    )
    expect(searchGazetteer('block 101', 5)[0]?.name).toBe('Block 101, Hidd')
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
      { numRuns: 300 },
    )
  })
})

describe('the search endpoint', () => {
  it('answers in the language of the request', async () => {
    expect((await search('428', ar))[0]).toMatchObject({
      address: 'مجمع 428، السيف',
      display_name: 'مجمع 428، السيف، البحرين',
    })
    expect((await search('428', en))[0]).toMatchObject({ address: 'Block 428, Seef' })
  })

  it('returns a landmark with its area', async () => {
    expect((await search('city centre'))[0]?.display_name).toMatch(/^City Centre Bahrain, \w+.*, Bahrain$/)
    expect((await search('seef mall'))[0]?.address).toBe('Seef Mall')
  })

  it.each(['', 'ab', 'اب', '  a  ', 'aـ\u064b'])('returns nothing for fewer than three characters: "%s"', async (q) => {
    expect(await search(q)).toEqual([])
  })

  it.each(['q=' + 'a'.repeat(201), 'x=1', ''])('rejects the query %j', async (query) => {
    const { status, refusal } = await guest.send('GET', `/api/geocode/search?${query}`)
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([400, 'INVALID_QUERY', ['q']])
  })
})

describe('the address of a point', () => {
  it('is its area and the nearest block, in the language of the request', async () => {
    const [place] = await reverse('26.239', '50.5385', ar)
    expect(place?.address).toMatch(/^السيف، مجمع (428|436)$/)
    expect(place).toMatchObject({ lat: 26.239, lng: 50.5385 })
    expect((await reverse('26.239', '50.5385', en))[0]?.address).toMatch(/^Seef, Block (428|436)$/)
  })

  it('is the coordinates with five decimals outside of all areas', async () => {
    expect(await reverse('26.3', '50.8')).toEqual([
      { lat: 26.3, lng: 50.8, address: '26.30000, 50.80000', display_name: '26.30000, 50.80000' },
    ])
    expect((await reverse('-33.8688197', '151.2092955'))[0]?.address).toBe('-33.86882, 151.20930')
  })
})
