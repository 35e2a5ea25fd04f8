import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { getMyReceipt } from '@qatra/contract/orders/receipts'
import { describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { type Identity, meet, type Person } from '../fixtures/identities.ts'
import { standInWeb } from '../processes/stand-in-web.ts'
import { sample, sampleSeed } from '../sample.ts'

const shop = await startShop({ role: 'web' }, { web: standInWeb() })
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })
const reading = sample(
  endpoints.filter(({ method }) => method === 'GET'),
  0.25,
).map((one) => [keyOf(one), one] as const)
const pages = [
  '/',
  '/?lang=en',
  '/about',
  '/products/1',
  '/login',
  '/orders',
  '/profile',
  '/nothing',
  '/api/openapi.json',
]

/** Sends over a socket, because cached bytes are served before routing. */
async function ask(url: string, cookie: string) {
  const answer = await fetch(address + url, { headers: cookie ? { cookie } : {}, redirect: 'manual' })
  const { status, headers } = answer
  // A stream has no end.
  if (headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
  else await answer.arrayBuffer()
  return { status, caching: headers.get('cache-control'), vary: headers.get('vary') ?? '', etag: headers.get('etag') }
}
/** The receipt of a delivered order is kept for a minute, for the cookie of the person. */
function cachingOf({ isStream, path }: AnyEndpoint, status: number) {
  if (status !== 200) return 'no-store'
  if (isStream) return 'no-store, no-transform'
  return path === getMyReceipt.path ? 'private, max-age=60' : 'no-store'
}
const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

describe(`responses to signed-in users (seed ${sampleSeed})`, () => {
  const people: Identity[] = ['customer', 'vendor_admin', 'super_admin']

  it.each(reading)('%s: is not cached', async (_, endpoint) => {
    for (const who of people) {
      const person = await meet(shop, who)
      const url = addressWith(endpoint, await sentBy(shop, firstRow(endpoint), person))
      await ask(url, '') // from here on it may be kept as bytes
      for (const cookie of [cookieOf(person), `lang=en; ${cookieOf(person)}`]) {
        const { status, caching, etag } = await ask(url, cookie)
        const expected = cachingOf(endpoint, status)
        expect([who, url, caching]).toEqual([who, url, expected])
        const again = await fetch(address + url, { headers: { cookie, 'if-none-match': etag ?? '"none"' } })
        expect(again.headers.get('cache-control')).toBe(expected)
        if (endpoint.isStream) await again.body?.cancel()
      }
    }
  })

  it.each(pages)('%s: is not cached', async (url) => {
    await ask(url, '')
    const { caching } = await ask(url, cookieOf(await meet(shop, 'customer')))
    expect(caching).toBe('no-store')
  })

  it('are recognized over https by the __Host- cookie', async () => {
    const { headers } = await shop
      .visitor()
      .send('GET', '/api/vendors', { headers: { cookie: `__Host-sid=u.${'x'.repeat(43)}` } })
    expect(headers['cache-control']).toBe('no-store')
  })

  it('are cached for static files, which contain nothing personal', async () => {
    const { caching, vary } = await ask('/assets/app-abc123.js', cookieOf(await meet(shop, 'customer')))
    expect([caching, vary]).toEqual(['public, max-age=31536000, immutable', 'Accept-Encoding'])
  })
})

describe('responses to visitors', () => {
  const cookies = ['', 'lang=en', `sid=g.${'x'.repeat(43)}`]

  it.each(['/api/vendors', '/api/products', '/api/areas', '/api/site', '/api/vendors/1', '/api/products/1'])(
    '%s: are revalidated and vary by cookie',
    async (url) => {
      for (const cookie of cookies) {
        const { status, caching, vary, etag } = await ask(url, cookie)
        expect([status, vary.includes('Cookie'), etag !== null]).toEqual([200, true, true])
        expect(caching).toMatch(/^(?:public|private), no-cache$/)
      }
    },
  )

  it.each(['/', '/about', '/login', '/?lang=en'])('%s: can be cached without a session', async (url) => {
    const { caching, vary, etag } = await ask(url, '')
    expect([caching, vary.includes('Cookie'), etag !== null]).toEqual(['public, no-cache', true, true])
    const again = await fetch(address + url, { headers: { 'if-none-match': etag ?? '' }, redirect: 'manual' })
    expect(again.status).toBe(304)
  })
})
