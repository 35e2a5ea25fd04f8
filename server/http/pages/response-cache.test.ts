import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { listAreas } from '@qatra/contract/places/areas'
import { listProducts } from '@qatra/contract/products/products'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { compressionFor } from './compression.ts'
import { type Audience, createEntry, createResponseCache, negotiate } from './response-cache.ts'

const answer = { body: 'x'.repeat(2000), contentType: 'text/plain', cacheControl: 'no-cache' }

describe('the cache', () => {
  const clock = { time: 1000, now: () => new Date(clock.time) }
  const get = (url: string, cookie?: string) => ({ method: 'GET', url, headers: cookie ? { cookie } : {} })

  it('answers everybody, or visitors of one language without other cookies', () => {
    const cache = createResponseCache(clock)
    const [all, ar, en] = ['all', 'ar', 'en'].map((body) => createEntry({ ...answer, body }))
    if (!all || !ar || !en) throw new Error('three entries')
    cache.set(cache.epoch(), '/list', 'everyone', all)
    cache.set(cache.epoch(), '/', 'ar', ar)
    cache.set(cache.epoch(), '/', 'en', en)
    expect(cache.find(get('/list', 'sid=u.secret; lang=en'))).toBe(all)
    expect(cache.find(get('/'))).toBe(ar)
    expect(cache.find(get('/', 'lang=ar'))).toBe(ar)
    expect(cache.find(get('/', 'lang=en'))).toBe(en)
    for (const cookie of ['sid=g.x', 'lang=en; sid=u.x', 'lang=fr', 'lang=en;', 'did=1', 'area=7', 'lang=en; area=7'])
      expect(cache.find(get('/', cookie))).toBeNull()
    expect(cache.find(get('/other'))).toBeNull()
    expect(cache.find({ ...get('/list'), method: 'POST' })).toBeNull()
  })

  it('answers visitors who chose an area by area and language, in either order of the cookies', () => {
    const cache = createResponseCache(clock)
    const [ar, en, all] = ['ar', 'en', 'all'].map((body) => createEntry({ ...answer, body }))
    if (!ar || !en || !all) throw new Error('three entries')
    cache.set(cache.epoch(), '/', 'ar 7', ar)
    cache.set(cache.epoch(), '/', 'en 7', en)
    cache.set(cache.epoch(), '/list', 'everyone', all)
    for (const cookie of ['area=7', 'lang=ar; area=7', 'area=7; lang=ar']) expect(cache.find(get('/', cookie))).toBe(ar)
    for (const cookie of ['lang=en; area=7', 'area=7; lang=en']) expect(cache.find(get('/', cookie))).toBe(en)
    for (const cookie of ['area=7', 'area=x', 'area=7; sid=u.x']) expect(cache.find(get('/list', cookie))).toBe(all)
  })

  it.each([
    'area=8',
    'area=07',
    'area=7x',
    'area=-7',
    'area=7.0',
    'area=٧',
    'area=7;',
    'area=7; area=7',
    'area=7; area=8',
    'lang=ar; area=7; lang=ar',
    'area="7"',
    'xarea=7',
    'area=7; sid=g.x',
    `area=${'7'.repeat(10_000)}`,
  ])('has nothing for the cookie %.40s', (cookie) => {
    const cache = createResponseCache(clock)
    for (const audience of ['ar', 'en', 'ar 7', 'en 7'] as const)
      cache.set(cache.epoch(), '/', audience, createEntry(answer))
    expect(cache.find(get('/', cookie))).toBeNull()
  })

  it('expires at its time and when the reference data changes', () => {
    const cache = createResponseCache(clock)
    const entry = createEntry({ ...answer, until: new Date(2000) })
    cache.set(cache.epoch(), '/', 'everyone', entry)
    clock.time = 1999
    expect(cache.find(get('/'))).toBe(entry)
    clock.time = 2000
    expect(cache.find(get('/'))).toBeNull()
    clock.time = 1000
    cache.clear()
    expect(cache.find(get('/'))).toBeNull()
  })

  it('never stores a response of older reference data', () => {
    const cache = createResponseCache(clock)
    const epoch = cache.epoch()
    cache.clear()
    cache.set(epoch, '/', 'everyone', createEntry(answer))
    expect(cache.find(get('/'))).toBeNull()
  })

  it('evicts the oldest entries at its capacity of 64 MB, and counts a replaced entry once', () => {
    const cache = createResponseCache(clock)
    // 2 MB each, and 4 KB for the headers.
    const entry = createEntry({ ...answer, body: Buffer.alloc(1_000_000) }, { compress: false })
    const set = (url: string, audience: Audience) => cache.set(cache.epoch(), url, audience, entry)
    for (let i = 0; i < 50; i++) set('/', 'ar')
    for (let i = 1; i <= 30; i++) set('/', `en ${i}`)
    expect(cache.get('/', 'ar')).toBe(entry)
    set('/', 'en 31')
    expect(cache.get('/', 'ar')).toBeNull()
    expect(cache.get('/', 'en 1')).toBe(entry)
    expect(cache.get('/', 'en 31')).toBe(entry)
  })
})

describe('an entry', () => {
  it('is 304 for its ETag, strong, weak or in a list', () => {
    const entry = createEntry(answer)
    const strong = entry.etag.slice(2)
    for (const asked of [entry.etag, strong, `"a", ${entry.etag}`, '*'])
      expect(negotiate(entry, { 'if-none-match': asked })).toMatchObject({ status: 304, body: null })
    for (const asked of ['"a"', '', 'W/', strong.slice(0, -2)])
      expect(negotiate(entry, { 'if-none-match': asked }).status).toBe(200)
  })

  it('has the same ETag for the same bytes and another for others', () => {
    expect(createEntry(answer).etag).toBe(createEntry(answer).etag)
    expect(createEntry({ ...answer, body: 'y' }).etag).not.toBe(createEntry(answer).etag)
  })
})

describe('the encoding of a response', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['identity', null],
    ['GZIP', 'gzip'],
    ['br;q=abc, gzip', 'gzip'],
    [undefined, null],
    [`${'x'.repeat(100_000)}, br`, null],
  ])('for %s is %s', (accepted, wanted) => {
    expect(compressionFor(accepted)).toBe(wanted)
  })
})

describe('over a connection', async () => {
  const shop = await startShop({ role: 'web' })
  let port = 0
  beforeAll(async () => {
    await shop.app.http.listen({ host: '127.0.0.1', port: 0 })
    port = (shop.app.http.server.address() as AddressInfo).port
  })

  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = request({ port, host: '127.0.0.1', path, headers, method, agent: false }).end()
    const [response] = await once(sent, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return {
      status: Number(response.statusCode),
      headers: response.headers as IncomingHttpHeaders,
      body: Buffer.concat(chunks),
    }
  }
  const cleared = (headers: IncomingHttpHeaders) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)))

  it.each(['/api/products', '/api/products?vendorId=1', '/api/vendors', '/api/areas', '/api/areas/1', '/api/site'])(
    'the second response to %s comes before routing and has the bytes of the first',
    async (path) => {
      const before = shop.app.responseCache.count()
      const first = await get(path)
      expect(shop.app.responseCache.count()).toBe(before)
      const second = await get(path)
      expect(shop.app.responseCache.count()).toBe(before + 1)
      expect(second.body.equals(first.body)).toBe(true)
      expect(second.status).toBe(200)
      expect(cleared(second.headers)).toEqual(cleared(first.headers))
      expect(second.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, no-cache',
        'content-length': String(first.body.length),
      })
    },
  )

  it('is compressed as the browser accepts, and equal after decompression', async () => {
    const plain = await get('/api/products')
    const compressed = async (encoding: string) => {
      const answered = await get('/api/products', { 'accept-encoding': encoding })
      expect(answered.headers.vary).toBe('Accept-Encoding, Cookie')
      return answered
    }
    await expect.poll(async () => (await compressed('gzip')).headers['content-encoding']).toBe('gzip')
    await expect.poll(async () => (await compressed('gzip, br')).headers['content-encoding']).toBe('br')
    const [gzip, br] = [await compressed('gzip'), await compressed('br, gzip')]
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    expect(br.body.length).toBeLessThan(plain.body.length / 5)
  })

  it('is 304 without a body for its ETag, with or without a session', async () => {
    const { headers } = await get('/api/products')
    for (const cookie of ['', 'lang=en', `sid=u.${'x'.repeat(43)}`]) {
      const again = await get('/api/products', { 'if-none-match': String(headers.etag), cookie })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    }
  })

  it('answers HEAD with the headers of GET', async () => {
    const [head, whole] = [await get('/api/products', {}, 'HEAD'), await get('/api/products')]
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(cleared(head.headers)).toEqual(cleared(whole.headers))
  })

  it('is created again after a change of data', async () => {
    const before = await get('/api/vendors')
    await shop.query(`update vendors set description = 'Another' where id = 1`)
    await expect.poll(async () => (await get('/api/vendors')).headers.etag).not.toBe(before.headers.etag)
    expect(String((await get('/api/vendors')).body)).toContain('Another')
  })

  it('is the same through the router and before it', async () => {
    const visitor = shop.visitor()
    expect((await visitor.call(listProducts)).body).toEqual(JSON.parse(String((await get('/api/products')).body)))
    expect((await visitor.call(listAreas)).body).toEqual(JSON.parse(String((await get('/api/areas')).body)))
  })
})
