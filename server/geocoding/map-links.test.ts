import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Network } from '../lib/safe-fetch.ts'
import { createMapLinkReader } from './map-link.gateway.ts'
import { mapLinkIn, pointInLink } from './map-links.ts'
import { writtenPlaceIn } from './written-places.ts'

const pin = { lat: 26.2378, lng: 50.5402 }

describe('the coordinates of a map link', () => {
  it.each([
    ['a search', 'https://www.google.com/maps?q=26.2378,50.5402'],
    ['an encoded search', 'https://maps.google.com/?q=26.2378%2C50.5402&z=17'],
    ['a search with loc:', 'http://maps.google.com/maps?q=loc:26.2378,50.5402'],
    ['the newer search', 'https://www.google.com/maps/search/?api=1&query=26.2378,50.5402'],
    ['a search in the path', 'https://www.google.com/maps/search/26.2378,+50.5402?entry=tts'],
    ['the middle of the map', 'https://www.google.com/maps/@26.2378,50.5402,15z'],
    [
      'a place, whose pin is not the middle',
      'https://www.google.com/maps/place/Seef+Mall/@26.2300,50.5300,17z/data=!3m1!4b1!4m6!3m5!1s0x3e49!8m2!3d26.2378!4d50.5402!16s',
    ],
    ['another country’s Google', 'https://www.google.com.bh/maps/place/26.2378,50.5402'],
    ['directions to it', 'https://www.google.com/maps/dir/?api=1&destination=26.2378,50.5402'],
    ['Apple maps', 'https://maps.apple.com/?ll=26.2378,50.5402&q=Dropped%20Pin'],
    ['the newer Apple maps', 'https://maps.apple.com/place?coordinate=26.2378,50.5402&name=Home'],
    ['Waze', 'https://waze.com/ul?ll=26.2378,50.5402&navigate=yes'],
    ['a geo address', 'geo:26.2378,50.5402?z=17'],
    ['an address without https', 'maps.google.com/?q=26.2378,50.5402'],
  ])('are read from %s', (_, url) => {
    const link = mapLinkIn(`هذا موقعي ${url} شكرا`)
    expect(link?.text).toBe(url)
    expect(link && pointInLink(link.url)).toEqual(pin)
  })

  it('are read from a link with an apostrophe, as Google writes a dropped pin, and not from a quote around it', () => {
    const dropped = `https://www.google.com/maps/place/26%C2%B014'16.1%22N+50%C2%B032'24.7%22E/@26.2300,50.5300,17z/data=!3m1!4b1!4m4!3m3!8m2!3d26.2378!4d50.5402?entry=ttu`
    const named =
      "https://www.google.com/maps/place/Jasmi's/@26.2300,50.5300,17z/data=!4m6!3m5!1s0x0:0x1!8m2!3d26.2378!4d50.5402"
    for (const url of [dropped, named]) {
      const link = mapLinkIn(`'${url}'`)
      expect(link?.text).toBe(url)
      expect(link && pointInLink(link.url)).toEqual(pin)
    }
    const bare = mapLinkIn(`https://www.google.com/maps/place/26°14'16.1"N+50°32'24.7"E`.replaceAll('"', '%22'))
    expect(bare && pointInLink(bare.url)?.lat).toBeCloseTo(pin.lat, 4)
  })

  it.each([
    ['another site', 'https://evil.example/maps?q=26.2378,50.5402'],
    ['a host that ends like Google', 'https://notgoogle.com/maps?q=26.2378,50.5402'],
    ['a host that begins like Google', 'https://maps.google.com.evil.example/?q=26.2378,50.5402'],
    ['a search for words', 'https://www.google.com/search?q=26.2378,50.5402'],
    ['impossible coordinates', 'https://maps.google.com/?q=126.2378,50.5402'],
    ['no coordinates', 'https://maps.google.com/?q=Seef+Mall'],
    ['a broken encoding', 'https://www.google.com/maps/%E0%A4%A'],
  ])('are not read from %s', (_, url) => {
    const link = mapLinkIn(url)
    expect(link && pointInLink(link.url)).toBeNull()
  })
})

describe('a place in words', () => {
  it.each([
    ['26.2325, 50.5348', 26.2325, 50.5348],
    ['26.23250, 50.53480', 26.2325, 50.5348],
    ['٢٦٫٢٣٢٥، ٥٠٫٥٣٤٨', 26.2325, 50.5348],
    ['26.23 50.53', 26.23, 50.53],
    ['26.2325° N, 50.5348° E', 26.2325, 50.5348],
    ['lat: 26.2325 lng: 50.5348', 26.2325, 50.5348],
    ['N 26.2325 E 50.5348', 26.2325, 50.5348],
    [`26°13'57.0"N 50°32'05.0"E`, 26.2325, 50.534_722],
    ['26°13’57.0”N, 50°32’05.0”E', 26.2325, 50.534_722],
    ['٢٦°١٣′٥٧″ ش ٥٠°٣٢′٠٥″ ق', 26.2325, 50.534_722],
    ["26°13.95'N 50°32.0833'E", 26.2325, 50.534_722],
    ['26 13 57.0 N, 50 32 05.0 E', 26.2325, 50.534_722],
    ['٢٦ ١٣ ٥٧ شمال ٥٠ ٣٢ ٥ شرق', 26.2325, 50.534_722],
    ['8FVC2222+22', 47.000_062_5, 8.000_062_5],
    ['7FG49QCJ+2VX', 20.370_112_5, 2.782_234_375],
    ['7HRG6GJM+2W Manama', 26.230_062_5, 50.534_812_5],
    ['6GJM+2W المنامة', 26.230_062_5, 50.534_812_5],
    ['6gjm+2w', 26.230_062_5, 50.534_812_5],
    ['-33.85678, 151.21530', -33.856_78, 151.2153],
  ])('is read from %s', (text, lat, lng) => {
    const place = writtenPlaceIn(`بيتنا ${text} شكرا`)
    expect(place?.point.lat).toBeCloseTo(lat, 5)
    expect(place?.point.lng).toBeCloseTo(lng, 5)
    expect(text).toContain(place?.text.trim())
  })

  it.each([
    '1.600, 2.400',
    'كرتونين بـ 3.200، 6.400',
    '3810+428',
    '2345+67',
    'villa 12.5, road 50.25',
    '126.2325, 50.5348',
    '26.23255034',
    '36001234',
    'a+b',
  ])('is not read from %s', (text) => {
    expect(writtenPlaceIn(text)).toBeNull()
  })
})

interface Page {
  status: number
  location?: string
  body?: string
}

/** The hosts of the maps, in one server: `host/path` is answered as the real ones do. */
const pages = new Map<string, Page>()
const asked: string[] = []
let server: Server
let network: Network

beforeAll(async () => {
  server = createServer((request, response) => {
    const key = `${request.headers.host}${request.url}`
    asked.push(key)
    const { status, location, body } = pages.get(key) ?? { status: 404 }
    if (status === 0) return
    response.writeHead(status, location ? { location } : { 'content-type': 'text/html' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // a TCP server
  network = {
    resolve: async (host) => (host === 'goo.gl' ? ['10.0.0.1'] : ['127.0.0.1']),
    isAllowed: (address) => address === '127.0.0.1',
    request: (options, answer) => httpRequest({ ...options, port }, answer),
  }
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  pages.clear()
  asked.length = 0
})

const read = (url: string, timeoutMs = 60_000) =>
  createMapLinkReader({ log: { info: () => {} }, network, timeoutMs })(new URL(url))
const short = 'https://maps.app.goo.gl/abc'

describe('a short map link', () => {
  it('leads to the coordinates of the address that it redirects to, which is not visited', async () => {
    const location = 'https://www.google.com/maps/place/Seef/@26.23,50.53,17z/data=!3m1!8m2!3d26.2378!4d50.5402'
    pages.set('maps.app.goo.gl/abc', { status: 302, location })
    expect(await read(short)).toEqual(pin)
    expect(asked).toEqual(['maps.app.goo.gl/abc'])
  })

  it('leads through the question for consent', async () => {
    const target = encodeURIComponent('https://maps.google.com/?q=26.2378,50.5402')
    pages.set('maps.app.goo.gl/abc', {
      status: 302,
      location: `https://consent.google.com/ml?continue=${target}&gl=DE`,
    })
    expect(await read(short)).toEqual(pin)
  })

  it('leads to the coordinates of the preview of a page without any in its address', async () => {
    pages.set('maps.app.goo.gl/abc', { status: 302, location: 'https://www.google.com/maps/place/Seef/data=!4m2' })
    const image = 'https://maps.google.com/maps/api/staticmap?center=26.2378%2C50.5402&amp;zoom=15&amp;size=900x900'
    pages.set('www.google.com/maps/place/Seef/data=!4m2', {
      status: 200,
      body: `<meta content="${image}" property="og:image">`,
    })
    expect(await read(short)).toEqual(pin)
  })

  it.each<[string, Page, number?]>([
    ['another host', { status: 302, location: 'https://evil.example/?q=26.2378,50.5402' }],
    ['http', { status: 302, location: 'http://www.google.com/maps/place/Seef' }],
    ['another port', { status: 302, location: 'https://www.google.com:8443/maps/place/Seef' }],
    ['a name of our network', { status: 302, location: 'https://goo.gl/maps/inner' }],
    ['itself', { status: 302, location: short }, 5],
    ['a page that is too long', { status: 200, body: 'x'.repeat(600 * 1024) }],
    ['nothing', { status: 404 }],
  ])('that leads to %s is not read', async (_, page, requests = 1) => {
    pages.set('maps.app.goo.gl/abc', page)
    expect(await read(short)).toBeNull()
    expect(asked).toEqual(Array(requests).fill('maps.app.goo.gl/abc'))
  })

  it('that is not answered is given up', async () => {
    pages.set('maps.app.goo.gl/abc', { status: 0 })
    expect(await read(short, 200)).toBeNull()
  })
})
