import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { standInWeb } from '../../test/processes/stand-in-web.ts'

interface State {
  url: string
  lang: string
  renders: number
  me: string | null
  product: string | null
  area: string | null
  vendors: number
  promised: string
}

const web = standInWeb()
const shop = await startShop({ role: 'web' }, { web })
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })
const customer = '+97336000006'

const stateOf = (html: unknown) => JSON.parse(/json">(.*?)<\/script>/.exec(String(html))?.[1] ?? 'null') as State
const get = (url: string, headers: Record<string, string> = {}) => shop.visitor().send('GET', url, { headers })
/** Over a socket, where the cache answers before routing. */
const fetched = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${address}${path}`, { headers, redirect: 'manual' })
const aProduct = async (from: TestShop) =>
  (await from.query<{ id: number }>('select min(id) as id from products'))[0]?.id

describe('a page', () => {
  it('has the language of the query, else of the cookie, else Arabic', async () => {
    const cases: [string, string | undefined, string][] = [
      ['/about', undefined, 'ar'],
      ['/about', 'lang=en', 'en'],
      ['/about?lang=ar', 'lang=en', 'ar'],
      ['/about?lang=en', undefined, 'en'],
      ['/about?lang=fr', 'lang=en', 'en'],
      ['/about?lang=en&lang=ar', undefined, 'ar'],
      ['/about', 'lang=xx', 'ar'],
    ]
    for (const [url, cookie, lang] of cases) {
      const { status, body } = await get(url, cookie ? { cookie } : {})
      expect(status).toBe(200)
      expect(String(body)).toMatch(
        new RegExp(`^<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"`),
      )
    }
  })

  it('stores the language of the URL in a cookie that scripts can read', async () => {
    const asked = await get('/about?lang=en')
    expect([asked.headers['set-cookie']].flat()).toEqual(['lang=en; Max-Age=31536000; Path=/; SameSite=Lax'])
    const again = await fetched('/about?lang=en')
    expect(again.headers.getSetCookie()).toEqual(['lang=en; Max-Age=31536000; Path=/; SameSite=Lax'])
    expect((await get('/about?lang=zz')).headers['set-cookie']).toBeUndefined()
    expect((await get('/about')).headers['set-cookie']).toBeUndefined()
  })

  it('is rendered once for all visitors and then cached', async () => {
    const first = await fetched('/?vendor=1&lang=en')
    const { renders } = stateOf(await first.text())
    const before = shop.app.responseCache.count()
    const second = await fetched('/?vendor=1&lang=en')
    expect(stateOf(await second.text()).renders).toBe(renders)
    expect(shop.app.responseCache.count()).toBe(before + 1)
    for (const answer of [first, second]) {
      expect(answer.headers.get('cache-control')).toBe('public, no-cache')
      expect(answer.headers.get('vary')).toContain('Cookie')
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    const etag = second.headers.get('etag') ?? ''
    expect((await fetched('/?vendor=1&lang=en', { 'if-none-match': etag })).status).toBe(304)
    expect((await fetched('/?vendor=1&lang=en', { cookie: 'lang=ar' })).status).toBe(200)
  })

  it('is rendered once for each area that visitors chose, and is the general one for an area that does not exist', async () => {
    const [first, second] = await shop.query<{ id: number; area_id: string }>(
      'select id, area_id from areas order by id',
    )
    if (!first || !second) throw new Error('two areas')
    const seen = async (cookie: string) => {
      const answer = await fetched('/terms', { cookie })
      return { ...stateOf(await answer.text()), caching: answer.headers.get('cache-control') }
    }
    const general = await seen('lang=ar')
    expect(general.area).toBeNull()
    const one = await seen(`area=${first.id}`)
    expect([one.area, one.caching]).toEqual([first.area_id, 'public, no-cache'])
    expect(await seen(`lang=ar; area=${first.id}`)).toEqual(one)
    expect((await seen(`lang=en; area=${first.id}`)).lang).toBe('en')
    expect((await seen(`area=${second.id}`)).area).toBe(second.area_id)
    expect(await seen('area=999999')).toEqual(general)
    expect(shop.app.responseCache.get('/terms', 'ar 999999')).toBeNull()
    const hostile = await seen('area=1%20or%201')
    expect([hostile.area, hostile.caching]).toEqual([null, 'no-store'])
  })

  it('is compressed at once, also for a person and in JSON, if the client accepts it', async () => {
    const person = await shop.visitor().signInAs(customer)
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const [url, headers] of [
      ['/terms', {}],
      ['/profile', { cookie }],
      ['/api/auth/orders', { cookie }],
    ] as const) {
      const plain = await shop.app.http.inject({ url, headers })
      const brotli = await shop.app.http.inject({ url, headers: { ...headers, 'accept-encoding': 'gzip, br' } })
      expect([brotli.headers['content-encoding'], brotli.headers['vary']]).toEqual([
        'br',
        expect.stringMatching(/Accept-Encoding/),
      ])
      expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(brotliDecompressSync(brotli.rawPayload).toString().length).toBe(plain.body.length)
    }
  })

  it('is compressed better once it is kept', async () => {
    await fetched('/privacy')
    await expect
      .poll(async () => (await fetched('/privacy', { 'accept-encoding': 'br' })).headers.get('content-encoding'))
      .toBe('br')
    const { rawPayload, headers } = await shop.app.http.inject({
      url: '/privacy',
      headers: { 'accept-encoding': 'br' },
    })
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(rawPayload).toString()).toContain('lang="ar"')
  })

  it('is rendered again after a change of the catalogue', async () => {
    const { vendors } = stateOf((await get('/faqs')).body)
    await shop.query('update vendors set is_active = false where id = (select max(id) from vendors where is_active)')
    await expect.poll(async () => stateOf((await get('/faqs')).body).vendors).toBe(vendors - 1)
  })

  describe('with a delivery promise', () => {
    const bahrain = (local: string) => new Date(`${local}+03:00`)
    const clockAt = (local: string) => vi.spyOn(shop.app.clock, 'now').mockReturnValue(bahrain(local))
    const hook = globalThis as { duringRender?: () => void }
    const promised = async (path: string) => stateOf(await (await fetched(path)).text()).promised
    afterEach(() => {
      vi.restoreAllMocks()
      delete hook.duringRender
    })
    const cutOff = async (time: string | null) => {
      await shop.query('update vendors set cut_off = $1 where id = 1', [time])
      await expect.poll(() => shop.app.responseCache.get('/faqs', 'ar')).toBeNull()
    }

    it("changes at a vendor's cut-off and at midnight although the page is cached", async () => {
      await promised('/faqs')
      await cutOff('18:00')
      const seen: [string, string][] = []
      for (const at of [
        '23T17:59:59.999',
        '23T18:00:00.000',
        '23T18:00:00.001',
        '23T23:59:59.999',
        '24T00:00:00.000',
      ]) {
        clockAt(`2026-11-${at}`)
        seen.push([at, await promised('/faqs')])
        const answeredBefore = shop.app.responseCache.count()
        await fetched('/faqs')
        expect(shop.app.responseCache.count(), 'answered as bytes').toBe(answeredBefore + 1)
      }
      expect(seen).toEqual([
        ['23T17:59:59.999', '2026-11-24'],
        ['23T18:00:00.000', '2026-11-24'],
        ['23T18:00:00.001', '2026-11-25'],
        ['23T23:59:59.999', '2026-11-25'],
        ['24T00:00:00.000', '2026-11-25'],
      ])
    })

    it('is not cached past a cut-off that occurs during rendering', async () => {
      clockAt('2026-11-23T17:59:59.000')
      shop.app.responseCache.clear()
      hook.duringRender = () => void clockAt('2026-11-23T18:00:01.000')
      expect(await promised('/privacy')).toBe('2026-11-24')
      expect(await promised('/privacy')).toBe('2026-11-25')
    })
  })

  it('is not cached for arbitrary URLs', async () => {
    const madeUp = [
      '/?vendor=999999',
      '/?size=x',
      '/?utm_source=a',
      '/about?vendor=1',
      '/?vendor=01',
      '/?vendor=1&vendor=1',
    ]
    for (const url of madeUp) {
      const renders = stateOf((await get(url)).body).renders
      const again = await get(url)
      expect(stateOf(again.body).renders).toBe(renders + 1)
      expect(again.headers['cache-control']).toBe('no-store')
    }
  })

  it("of a signed-in person is never cached, nor taken from the visitors' cache", async () => {
    await get('/about')
    const person = await shop.visitor().signInAs(customer)
    const own = await person.send('GET', '/about')
    expect(stateOf(own.body).me).toBe(customer)
    expect(own.headers['cache-control']).toBe('no-store')
    const guest = await get('/about', { cookie: `sid=g.${'a'.repeat(43)}` })
    expect(guest.headers['cache-control']).toBe('no-store')
    expect(stateOf((await get('/about')).body).me).toBeNull()
  })

  it('reads its data with the rights of its reader', async () => {
    const id = await aProduct(shop)
    expect(stateOf((await get(`/products/${id}`)).body).product).toBeTruthy()
    expect((await get('/products/999999999')).status).toBe(404)
  })
})

describe('a URL without a page', () => {
  it('gets 404 with a page, in both languages', async () => {
    for (const url of ['/404', '/not-found', '/nowhere', '/a/b/c']) expect((await get(url)).status, url).toBe(404)
  })

  it('of the API gets 404 as JSON', async () => {
    for (const url of ['/api', '/api/', '/api/nothing', '/api/cart/x/y']) {
      const { status, refusal } = await get(url)
      expect([url, status, refusal.code]).toEqual([url, 404, 'NOT_FOUND'])
    }
  })

  it('of the admin redirects visitors to sign-in and gets 404 for others', async () => {
    const visitor = await get('/admin/orders?status=new')
    expect([visitor.status, visitor.headers.location]).toEqual([
      302,
      '/login?redirect=%2Fadmin%2Forders%3Fstatus%3Dnew',
    ])
    const person = await shop.visitor().signInAs(customer)
    expect((await person.send('GET', '/admin/orders')).status).toBe(404)
  })

  it('of the admin opens for authorized staff, who stay in it at 404, and /admin redirects to their first page', async () => {
    const admin = await shop.visitor().signInAs('+97336000001')
    const page = await admin.send('GET', '/admin/orders?status=new')
    expect([page.status, page.headers['cache-control'], String(page.body)]).toEqual([
      200,
      'no-store',
      expect.stringContaining('the office'),
    ])
    const first = await admin.send('GET', '/admin')
    expect([first.status, first.headers.location]).toEqual([302, '/admin/dashboard'])
    const driver = await shop.visitor().signInAs('+97336000005')
    for (const path of ['/admin/users', '/admin/vendors', '/admin/nothing', '/admin/orders/1/2']) {
      const { status, body } = await driver.send('GET', path)
      expect([path, status, String(body).includes('the office')]).toEqual([path, 404, true])
    }
    const stranger = await (await shop.visitor().signInAs(customer)).send('GET', '/admin')
    expect([stranger.status, String(stranger.body).includes('the office')]).toEqual([404, false])
  })

  it('gets 405 with Allow for another method', async () => {
    for (const [method, url, allow] of [
      ['POST', '/about', 'GET, HEAD'],
      ['DELETE', '/products/1', 'GET, HEAD'],
      ['PUT', '/api/vendors', 'GET, HEAD'],
      ['GET', '/api/cart/add', 'POST'],
      ['OPTIONS', '/api/cart', 'DELETE, GET, HEAD'],
    ] as const) {
      const answer = await shop.visitor().send(method, url)
      expect([url, answer.status, answer.headers.allow]).toEqual([url, 405, allow])
    }
  })
})

describe('the simulator', () => {
  interface Spy {
    url: string
    spied: unknown
  }
  const seen = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await get(path, headers)
    return { status, ...(stateOf(body) as unknown as Spy) }
  }

  it('is open to this machine, and not through a proxy', async () => {
    expect(await seen('/simulator')).toMatchObject({ status: 200, url: '/simulator' })
    expect(await seen('/spy')).toMatchObject({ spied: [] })
    for (const name of ['x-forwarded-for', 'forwarded', 'x-forwarded-proto', 'x-real-ip', 'via']) {
      expect(await seen('/simulator', { [name]: '203.0.113.7' })).toMatchObject({ status: 404, url: '/404' })
      expect(await seen('/spy', { [name]: '203.0.113.7' })).toMatchObject({ spied: 'NOT_FOUND' })
    }
  })
})

describe('many requests', () => {
  it('of one network get 429 for rendered pages, and 200 for cached ones', async () => {
    const limited = await startShop({ role: 'web', rateLimits: true }, { web })
    const visit = (url: string) => limited.visitor().send('GET', url)
    expect((await visit('/about')).status).toBe(200)
    const waiting: Awaited<ReturnType<typeof visit>>[] = []
    let asked = 0
    // The bucket refills meanwhile, ten per second.
    while (waiting.length === 0 && asked < 2_000) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => visit(`/?x=${asked + n}`)))
      asked += answers.length
      waiting.push(...answers.filter(({ status }) => status === 429))
    }
    expect(asked).toBeGreaterThanOrEqual(300)
    expect(Number(waiting[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(waiting[0]?.headers['cache-control']).toBe('no-store')
    expect((await visit('/about')).status).toBe(200)
  })
})

describe('redirects', () => {
  it("go to the page's target, on this site only", async () => {
    const orders = await get('/orders')
    expect([orders.status, orders.headers.location]).toEqual([302, '/login?redirect=%2Forders'])
    expect((await get('/away')).headers.location).toBe('/')
  })
})

describe('a page that fails to render', () => {
  it('is a plain error page without details', async () => {
    const { status, body, headers } = await get('/boom', { cookie: 'lang=en' })
    expect(status).toBe(500)
    expect(String(body)).toContain('<html lang="en" dir="ltr">')
    expect(String(body)).not.toContain('secret')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('HEAD', () => {
  it('answers like GET without the body', async () => {
    for (const url of ['/about', '/assets/app-abc123.js', '/healthz', '/api/vendors', '/sitemap.xml']) {
      const head = await fetch(`${address}${url}`, { method: 'HEAD' })
      expect([url, head.status]).toEqual([url, 200])
      expect(await head.text()).toBe('')
    }
  })
})

describe('the page of a sign-in link', () => {
  it('sends no referrer', async () => {
    const { headers } = await get('/magic-login/some-token')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-robots-tag']).toBe('noindex')
  })
})

describe('static files', () => {
  it('are cached for a year if their name has a hash, else for an hour', async () => {
    const script = await get('/assets/app-abc123.js')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const icon = await get('/favicon.ico')
    expect(icon.headers['cache-control']).toContain('max-age=3600')
    const etag = String(icon.headers.etag)
    expect((await get('/favicon.ico', { 'if-none-match': etag })).status).toBe(304)
    await expect
      .poll(
        async () => (await get('/assets/app-abc123.js', { 'accept-encoding': 'gzip, br' })).headers['content-encoding'],
      )
      .toBe('br')
    expect((await get('/assets/plex.woff2', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined()
  })

  it('are only those of the build, for every spelling of the URL', async () => {
    for (const url of [
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/%2e%2e/%2e%2e/web-server/entry-server.js',
      '/.vite/manifest.json',
      '/assets/',
      '/assets/missing.js',
      '//etc/passwd',
      '/assets\\..\\..\\package.json',
    ]) {
      const { status, body } = await get(url)
      expect([url, status]).toEqual([url, 404])
      expect(JSON.stringify(body)).not.toMatch(/root:|"scripts"|renders \+= 1/)
    }
  })
})
