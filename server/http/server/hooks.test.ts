import { addToCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import { getSite } from '@qatra/contract/settings/site'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'

const shop = await startShop({ role: 'web' })
const send = (
  method: string,
  url: string,
  options?: { body?: unknown; raw?: string | Buffer; headers?: Record<string, string> },
) => shop.visitor().send(method, url, options)
const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  send('POST', addToCart.path, { raw, headers })
const nested = (depth: number) => `{"productId":${'['.repeat(depth)}1${']'.repeat(depth)},"quantity":1}`

describe('security headers', () => {
  it.each([
    '/healthz',
    '/api/vendors',
    '/api/nothing',
    '/api/cart',
    '/api/auth/me',
    '/sitemap.xml',
    '/api/%zz',
    '/api/docs',
  ])('are set on %s', async (url) => {
    const { headers } = await send('GET', url)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['referrer-policy']).toBeDefined()
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('include Strict-Transport-Security over https', async () => {
    const secure = await startShop({ role: 'web', publicUrl: 'https://qatra.example', isSecure: true })
    const { headers } = await secure.visitor().send('GET', '/api/vendors')
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
  })
})

describe('a body', () => {
  it('that is not JSON gets 400', async () => {
    for (const raw of ['{', 'null x', '{"productId":1,}', "{'a':1}", '\u0000', 'undefined']) {
      const { status, refusal } = await post(raw)
      expect([raw, status, refusal.code]).toEqual([raw, 400, 'BAD_REQUEST'])
    }
  })

  it('that is JSON but no object gets a 4xx', async () => {
    for (const raw of ['null', '[]', '1', '"x"', 'true', '[[[]]]', '1e309']) {
      const { status, refusal } = await post(raw)
      expect([raw, status, refusal.code]).toEqual([raw, 422, 'INVALID_BODY'])
    }
  })

  it('of another type gets 415', async () => {
    const kinds = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/json; charset=utf-16',
      'application/jsonp',
      'nonsense',
    ]
    for (const kind of kinds) {
      const { status, refusal } = await post('{"productId":1,"quantity":1}', { 'content-type': kind })
      expect([kind, status, refusal.code]).toEqual([kind, 415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
    const plain = await post('{}', { 'content-type': 'application/json; charset=UTF-8' })
    expect(plain.status).toBe(422)
  })

  it.each([
    ['POST', '/api/auth/logout'],
    ['DELETE', '/api/cart'],
  ])('that is empty is none, whatever its type: %s %s', async (method, url) => {
    for (const type of [undefined, 'application/json', 'application/json; charset=utf-8', 'text/plain'])
      for (const raw of [undefined, ''])
        expect(
          (
            await send(method, url, {
              headers: type ? { 'content-type': type } : {},
              ...(raw === undefined ? {} : { raw }),
            })
          ).status,
        ).toBeLessThan(300)
    const missing = await post('')
    expect([missing.status, missing.refusal.code]).toEqual([422, 'INVALID_BODY'])
  })

  it('that is compressed gets 415', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'x']) {
      expect((await post('{}', { 'content-encoding': encoding })).status).toBe(415)
    }
    expect((await post('{}', { 'content-encoding': 'identity' })).status).toBe(422)
  })

  it('with a NUL anywhere gets 400', async () => {
    for (const raw of ['{"productId":"\\u0000","quantity":1}', '{"a\\u0000b":1}', '{"x":["a",{"y":"\\u0000"}]}']) {
      expect((await post(raw)).refusal.code).toBe('BAD_REQUEST')
    }
  })

  it("with a lone surrogate gets the field's name in the request's language", async () => {
    const { status, refusal } = await post('{"size":"\\ud800"}', { cookie: 'lang=en' })
    expect([status, refusal.code]).toEqual([422, 'INVALID_BODY'])
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(['size'])
    const arabic = await post('{"size":"\\udfff"}')
    expect(arabic.refusal.details.fields?.['size']).toMatch(/\p{Script=Arabic}/u)
    expect((await post(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).status).toBe(400)
  })

  it('nested deeper than 20 gets 400, a hundred thousand levels too', async () => {
    expect((await post(nested(18))).status).toBe(422)
    expect((await post(nested(21))).status).toBe(400)
    expect((await post(`${'['.repeat(49_000)}${']'.repeat(49_000)}`)).status).toBe(400)
  })

  it('over 100 KB gets 413', async () => {
    const { status, refusal } = await post(`{"size":"${'x'.repeat(101 * 1024)}"}`)
    expect([status, refusal.code]).toEqual([413, 'TOO_LARGE'])
  })

  it('cannot reach a prototype', async () => {
    const raw = '{"__proto__":{"productId":1,"quantity":1,"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'
    expect((await post(raw)).status).toBe(422)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('a URL', () => {
  it('with a NUL or a control character gets 400', async () => {
    for (const url of [
      '/api/vendors/%00',
      '/api/products?search=%00',
      '/%00',
      '/about?x=%00',
      '/api/products?search=a%00b',
    ]) {
      expect([url, (await send('GET', url)).status]).toEqual([url, 400])
    }
  })

  it('that cannot be decoded gets 400 as JSON', async () => {
    for (const url of ['/api/%zz', '/api/vendors/%E0%A4', '/api/products?search=%', '/api/products?search=%ED%A0%80']) {
      const { status, refusal } = await send('GET', url)
      expect([url, status, refusal.code]).toEqual([url, 400, 'BAD_REQUEST'])
    }
  })

  it('with a duplicate key gets 400', async () => {
    for (const url of ['/api/products?vendorId=1&vendorId=2', '/api/areas/coordinates?lat=26&lat=27&lng=50']) {
      const { status, refusal } = await send('GET', url)
      expect([url, status, refusal.code]).toEqual([url, 400, 'BAD_REQUEST'])
    }
  })

  it('in another encoding reaches the same route', async () => {
    const { status, refusal, headers } = await send('GET', '/%61pi/products?vendorId=1&vendorId=2')
    expect([status, refusal.code]).toEqual([400, 'BAD_REQUEST'])
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  it('with names of prototype members is like any other', async () => {
    for (const key of ['__proto__', 'constructor', 'toString', '__proto__[x]']) {
      expect((await send('GET', `/api/products?${encodeURIComponent(key)}=1`)).status).toBe(200)
    }
    expect((await send('GET', '/api/__proto__')).status).toBe(404)
  })

  it('of great length is refused', async () => {
    expect((await send('GET', `/api/products?search=${'x'.repeat(10_000)}`)).status).toBe(400)
    expect((await send('GET', `/api/orders/${'x'.repeat(10_000)}`)).status).toBeGreaterThanOrEqual(400)
  })
})

describe('headers', () => {
  it('of an untrusted proxy have no effect', async () => {
    const forwarded = {
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
      host: 'evil.example',
    }
    const site = await shop.visitor().call(getSite, {}, forwarded)
    expect(site.body.origin).toBe('http://localhost:3000')
    for (const url of ['/sitemap.xml', '/robots.txt', '/api/openapi.json']) {
      const { body, headers } = await send('GET', url, { headers: forwarded })
      expect(JSON.stringify([body, headers])).not.toContain('evil.example')
    }
  })

  it('never contain line breaks from a request', async () => {
    const values = ['/api/vendors?x=%0d%0aset-cookie:%20a=b', '/about?lang=en%0d%0aset-cookie:%20a=b']
    for (const url of values) {
      const { headers } = await send('GET', url)
      expect(JSON.stringify(headers)).not.toContain('a=b')
    }
  })
})

describe('a flood', () => {
  it('of writes from one network gets 429, whatever X-Forwarded-For says', async () => {
    const limited = await startShop({ role: 'web', rateLimits: true })
    const statuses: number[] = []
    let last: Awaited<ReturnType<typeof send>> | null = null
    for (let n = 0; n < 3_000 && statuses.at(-1) !== 429; n += 1) {
      const headers = { 'x-forwarded-for': `10.${n % 250}.${n % 99}.7` }
      last = await limited.visitor().send('POST', placeOrder.path, { body: {}, headers })
      statuses.push(last.status)
    }
    expect(statuses.length).toBeGreaterThan(600)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([401]))
    expect(statuses.at(-1)).toBe(429)
    expect(last?.refusal.code).toBe('TOO_MANY_REQUESTS')
    expect(Number(last?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((await limited.visitor().send('GET', '/api/vendors')).status).toBe(200)
  })

  it('behind a trusted proxy is counted by the forwarded address', async () => {
    const limited = await startShop({ role: 'web', rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const from = async (ip: string) => {
      const { status } = await limited
        .visitor()
        .send('GET', '/api/geocode/search?q=manama', { headers: { 'x-forwarded-for': ip } })
      return status
    }
    let status = 200
    for (let n = 0; n < 80 && status === 200; n += 1) status = await from(`41.0.0.${n}`)
    expect(status).toBe(429)
    expect(await from('42.0.0.1')).toBe(200)
  })
})
