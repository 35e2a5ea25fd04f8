import { addToCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { makeHousehold, makeKey, makeUser, makeVisitor } from '../../test/fixtures/make.ts'
import { standInWeb } from '../../test/processes/stand-in-web.ts'
import { sample, sampleSeed } from '../../test/sample.ts'
import type { Visitor } from '../../test/visitor.ts'
import { newSessionCookie } from '../session-cookie.ts'

const shop = await startShop({ role: 'web', rateLimits: true, trustedProxies: ['127.0.0.1'] }, { web: standInWeb() })
const from = (ip: string) => ({ 'x-forwarded-for': ip })
let counter = 0

/** Sends a request; returns its status. */
type Send = (headers: Record<string, string>, visitor?: Visitor) => Promise<number>
const sending =
  (method: string, urlOf: () => string): Send =>
  async (headers, visitor = shop.visitor()) =>
    (await visitor.send(method, urlOf(), { headers, ...(method === 'POST' && { body: {} }) })).status
const write = sending('POST', () => placeOrder.path)
const writeNowhere = sending('POST', () => '/api/nothing')
const openPage = sending('GET', () => `/?x=${(counter += 1)}`)
const searchPlace = sending('GET', () => '/api/geocode/search?q=manama')

/** Whether one of so many requests was refused for their number; sends no more after it. */
async function isRefused(times: number, send: () => Promise<number>) {
  for (let n = 0; n < times; n += 1) if ((await send()) === 429) return true
  return false
}

/** How many of the requests got the status. */
async function count(status: number, times: number, send: () => Promise<number>) {
  let found = 0
  for (let n = 0; n < times; n += 1) if ((await send()) === status) found += 1
  return found
}

describe(`requests of another site (seed ${sampleSeed})`, () => {
  const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const fetched = { ...site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' }
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const frame = { ...image, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
  const link = { ...frame, 'sec-fetch-dest': 'document' }

  const ways = [
    { kind: 'writes', times: 640, send: write, headers: fetched },
    { kind: 'writes to an unknown path', times: 640, send: writeNowhere, headers: fetched },
    { kind: 'pages as images', times: 330, send: openPage, headers: image },
    { kind: 'pages in frames', times: 330, send: openPage, headers: frame },
    { kind: 'searches for places', times: 80, send: searchPlace, headers: image },
    { kind: 'searches for places in windows', times: 80, send: searchPlace, headers: link },
  ]
  it.each(sample(ways, 0.5))('are refused before they count: $kind', async ({ times, send, headers }) => {
    const network = `61.${(counter += 1)}.0`
    expect(await count(403, times, () => send({ ...headers, ...from(`${network}.7`) }))).toBe(times)
    const own = from(`${network}.200`)
    expect([await write(own), await openPage(own), await searchPlace(own)]).toEqual([401, 200, 200])
  })

  it('open pages by links, also where a service worker forwards the navigation', async () => {
    expect(await openPage(link)).toBe(200)
    expect(await openPage({ ...link, 'sec-fetch-dest': 'empty' })).toBe(200)
  })
})

describe('a network above its limit', () => {
  it.each([
    { kind: 'writes', burst: 600, send: write, network: '62.1.0' },
    { kind: 'rendered pages', burst: 300, send: openPage, network: '62.2.0' },
    { kind: 'geocoding', burst: 60, send: searchPlace, network: '62.3.0' },
  ])(
    'refuses strangers and leaves a fifth of its budget to each signed-in person: $kind',
    async ({ burst, send, network }) => {
      const own = from(`${network}.200`)
      const person = await makeVisitor(shop)
      expect((await person.send('GET', '/api/auth/me')).status).toBe(200)
      const pretender = shop.visitor()
      pretender.cookies.set('sid', newSessionCookie('user'))
      // More than refills meanwhile.
      expect(await isRefused(burst * 2, () => send(from(`${network}.7`)))).toBe(true)
      for (const stranger of [shop.visitor(), pretender])
        expect(await isRefused(10, () => send(own, stranger))).toBe(true)
      expect(await count(429, burst / 5, () => send(own, person))).toBe(0)
      expect(await isRefused(burst, () => send(own, person))).toBe(true)
    },
  )

  it('takes orders of a signed-in customer', async () => {
    const home = await makeHousehold(shop)
    await home.customer.call(addToCart, { body: { productId: home.water, quantity: 3 } })
    const network = from('62.4.0.7')
    expect(await isRefused(1_200, () => write(network))).toBe(true)
    expect((await home.customer.call(placeOrder, { body: home.body }, network)).status).toBe(200)
  })

  it('refuses a session that has ended', async () => {
    const person = await makeVisitor(shop)
    const network = from('62.5.0.7')
    expect((await person.send('GET', '/api/auth/me')).status).toBe(200)
    await shop.query('delete from sessions where user_id = $1', [person.id])
    expect((await person.send('GET', '/api/auth/me')).status).toBe(401)
    expect(await isRefused(1_200, () => write(network))).toBe(true)
    expect(await isRefused(10, () => write(network, person))).toBe(true)
  })
})

describe('API keys', () => {
  it('have a budget of their own, also where strangers guess keys in the same network', async () => {
    const [network, elsewhere] = [from('203.0.113.77'), from('203.0.114.78')]
    const maker = await makeUser(shop, { role: 'vendor_admin', vendorId: 1 })
    const [used, other] = [await makeKey(shop, maker.id), await makeKey(shop, maker.id)]
    const read = (headers: Record<string, string>) => async () =>
      (await shop.visitor().send('GET', '/api/admin/products', { headers })).status
    expect(await read({ ...network, ...used.headers })()).toBe(200)
    const guess = read({ ...network, authorization: `Bearer qk_${'x'.repeat(43)}` })
    expect(await isRefused(62, guess)).toBe(true)
    expect(await read({ ...network, ...used.headers })()).toBe(200)
    expect(await read({ ...network, ...other.headers })()).toBe(429)
    expect(await read({ ...elsewhere, ...other.headers })()).toBe(200)
    expect(await isRefused(310, read({ ...elsewhere, ...used.headers }))).toBe(true)
    expect(await read({ ...elsewhere, ...other.headers })()).toBe(200)
  })
})
