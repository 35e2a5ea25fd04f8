import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { reversePlace, searchPlaces } from '@qatra/contract/places/geocode'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { createGeocoder } from './gateway.ts'
import { createThrottle } from './throttle.ts'

interface Asked {
  url: URL
  agent: string | undefined
  at: number
}

/** A server in Nominatim's shape that does whatever a test wants of it. */
let respond: (response: ServerResponse, request: IncomingMessage) => void = () => {}
let asked: Asked[] = []
const server = createServer((request, response) => {
  asked.push({
    url: new URL(request.url ?? '', 'http://geocoder'),
    agent: request.headers['user-agent'],
    at: performance.now(),
  })
  respond(response, request)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nominatim/`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const json = (value: unknown) => (response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
const villa = { lat: '26.2001', lon: '50.5502', display_name: 'Villa 7, Zinj, Bahrain' }

let warnings: unknown[] = []
const log = { warn: (...words: unknown[]) => void warnings.push(words) }
const geocoder = (settings = {}) =>
  createGeocoder({ url, userAgent: 'Qatra/test', log, throttle: async () => {}, ...settings })
const [arabic, english] = [
  { lang: 'ar', ip: '41.0.0.1' },
  { lang: 'en', ip: '41.0.0.1' },
] as const

beforeEach(() => {
  asked = []
  warnings = []
  respond = json([villa])
})

describe('the geocoder client', () => {
  it('sends the text with country, language, limit and its user agent', async () => {
    expect(await geocoder().search('villa 7', arabic)).toEqual([
      { lat: 26.2001, lng: 50.5502, text: villa.display_name },
    ])
    const [{ url: sent, agent } = { url: new URL(url), agent: '' }] = asked
    expect(sent.pathname).toBe('/nominatim/search')
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      format: 'jsonv2',
      q: 'villa 7, Bahrain',
      limit: '5',
      'accept-language': 'ar',
    })
    expect(agent).toBe('Qatra/test')
  })

  it('rounds points and requests each rounded point once per language', async () => {
    respond = json(villa)
    const geo = geocoder()
    expect((await geo.reverse({ lat: 26.20001, lng: 50.55002 }, english))?.text).toBe(villa.display_name)
    await geo.reverse({ lat: 26.20004, lng: 50.54998 }, english)
    await geo.reverse({ lat: 26.20004, lng: 50.54998 }, arabic)
    expect(asked.map(({ url: sent }) => sent.search)).toEqual([
      '?format=jsonv2&lat=26.2000&lon=50.5500&accept-language=en',
      '?format=jsonv2&lat=26.2000&lon=50.5500&accept-language=ar',
    ])
  })

  it('sends one request for equal concurrent searches, and none for a repeated one', async () => {
    const geo = geocoder()
    const answers = await Promise.all(Array.from({ length: 20 }, () => geo.search('villa', english)))
    await geo.search('villa', english)
    expect(asked.length).toBe(1)
    expect(answers.every((places) => places.length === 1)).toBe(true)
  })

  it('is called at intervals by two processes together, and long queues are refused', async () => {
    const first = await startShop({ role: 'web' })
    const second = await startShop({ role: 'web' }, { databaseUrl: first.databaseUrl })
    const [one, two] = [first, second].map(({ app }) => geocoder({ throttle: createThrottle(app.rateLimiters, 800) }))
    const begun = performance.now()
    const found = await Promise.all(
      ['one', 'two', 'three', 'four', 'five', 'six'].map(
        async (text, n) => (await (n % 2 ? two : one)?.search(text, english)) ?? [],
      ),
    )
    // Three fit into the queue. On a busy machine calls may be free again before the last one asks.
    const answered = found.filter((places) => places.length === 1).length
    expect(answered).toBeGreaterThanOrEqual(3)
    expect(answered).toBeLessThan(6)
    // A timer may be late, never early: no call arrives before its turn.
    for (const [turn, { at }] of asked.entries()) expect(at - begun).toBeGreaterThan(turn * 800 - 2)
  })
})

describe('a failing geocoder', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['fails', (response) => void response.writeHead(500).end()],
    ['refuses', (response) => void response.writeHead(429).end()],
    ['hangs up', (response) => void response.destroy()],
    ['answers no JSON', (response) => void response.end('<html>')],
    ['sends us elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['never stops', (response) => void setInterval(() => response.write('['.repeat(65_536)), 1).unref()],
    ['never answers', () => {}],
    ['answers drop by drop', (response) => void setInterval(() => response.write(' '), 20).unref()],
  ])('returns nothing, logs a warning and is requested again when it %s', async (_, behaviour) => {
    const geo = geocoder({ timeoutMs: 2_000 })
    respond = behaviour
    expect(await geo.search('villa', english)).toEqual([])
    expect(warnings.length).toBe(1)
    expect(JSON.stringify(warnings)).not.toContain('villa')
    respond = json([villa])
    expect((await geo.search('villa', english)).length).toBe(1)
  })

  it.each<[string, unknown, number]>([
    ['places abroad', [{ ...villa, lat: '25.2', lon: '55.3' }, villa], 1],
    ['no list', { error: 'Unable to geocode' }, 0],
    ['null', null, 0],
    [
      'numbers that are none',
      [
        { ...villa, lat: 'NaN' },
        { ...villa, lon: '1e5' },
        { ...villa, lat: null },
      ],
      0,
    ],
    [
      'names that are none',
      [
        { ...villa, display_name: 7 },
        { ...villa, display_name: ' ' },
      ],
      0,
    ],
    ['more than was asked for', Array.from({ length: 40 }, () => villa), 5],
  ])('that responds with %s returns only valid places', async (_, answer, count) => {
    respond = json(answer)
    expect((await geocoder().search('villa', english)).length).toBe(count)
  })

  it('cannot insert bidi marks or long texts', async () => {
    respond = json([{ ...villa, display_name: `\u202eevil\u0000<script>\u2066${'x'.repeat(9000)}` }])
    const [place] = await geocoder().search('villa', english)
    expect(place?.text).toMatch(/^evil <script> x+$/)
    expect(place?.text.length).toBeLessThanOrEqual(300)
  })
})

describe('the search endpoint with a geocoder', async () => {
  const shop = await startShop({ role: 'web', geocoderUrl: url })
  const search = async (q: string) =>
    (await shop.visitor().call(searchPlaces, { query: { q } }, { cookie: 'lang=en' })).body

  it('returns areas first, then its places without duplicates, then landmarks', async () => {
    respond = json([{ ...villa, lat: String(26.2395), lon: '50.5391' }, villa])
    const places = (await search('seef')).map(({ address }) => address)
    expect(places.slice(0, 2)).toEqual(['Seef', villa.display_name])
    expect(places.indexOf('Seef Mall')).toBeGreaterThan(1)
    expect(places.filter((one) => one === villa.display_name)).toHaveLength(2)
    expect(asked.at(-1)?.agent).toMatch(/^Qatra\/\d+\.\d+\.\d+ \(\+http:\/\/localhost:3000\)$/)
    expect((await search('villa 7')).at(-1)).toEqual({
      lat: 26.2001,
      lng: 50.5502,
      address: villa.display_name,
      display_name: villa.display_name,
      block: null,
    })
  })

  it('asks it for the address of a point inside an area, and falls back to the area', async () => {
    const reverse = async (lat: string, lng: string) =>
      (await shop.visitor().call(reversePlace, { query: { lat, lng } }, { cookie: 'lang=en' })).body[0]
    respond = json(villa)
    // The point stays the customer's, not the geocoder's.
    expect(await reverse('26.239', '50.5385')).toEqual({
      lat: 26.239,
      lng: 50.5385,
      address: villa.display_name,
      display_name: villa.display_name,
      block: null,
    })
    respond = (response) => void response.writeHead(503).end()
    expect(await reverse('26.2391', '50.5386')).toMatchObject({ address: 'Seef', block: null })
  })

  it('returns only places of the gazetteer when the geocoder fails', async () => {
    respond = (response) => void response.writeHead(503).end()
    expect((await search('tree of life'))[0]?.address).toMatch(/^Tree of Life/)
  })
})

describe('many searches of one network', () => {
  it('do not use up the calls of others', async () => {
    const shop = await startShop({ role: 'web', geocoderUrl: url, rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const search = (q: string, ip: string) =>
      shop.visitor().call(searchPlaces, { query: { q } }, { 'x-forwarded-for': ip })
    const sent = (text: string) => asked.filter(({ url: to }) => to.searchParams.get('q')?.startsWith(text)).length
    await Promise.all(Array.from({ length: 40 }, (_, n) => search(`house ${n} of one`, '41.0.0.1')))
    // Until all calls at once are free again.
    await sleep(3_200)
    const further = Array.from({ length: 6 }, (_, n) => search(`road ${n} of one`, '41.0.0.2'))
    await sleep(100)
    await search('flat of another', '42.0.0.1')
    await Promise.all(further)
    expect(sent('flat')).toBe(1)
    expect(sent('house')).toBeGreaterThan(1)
    expect(sent('road')).toBeLessThan(2)
  })
})
