import { listNotifications, streamEvents } from '@qatra/contract/notifications/notifications'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeMedia } from '../../media/commands.ts'
import { startShop } from '../../test/app.ts'
import { standInWeb } from '../../test/processes/stand-in-web.ts'
import { exchange } from '../../test/raw-socket.ts'

const shop = await startShop(
  {
    publicUrl: 'https://qatra.example',
    isSecure: true,
    tileUrl: 'https://tiles.example/{z}/{x}/{y}.png',
    analytics: { ga: 'G-1', meta: '1', snap: null },
  },
  { web: standInWeb() },
)
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })

const names = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-robots-tag',
] as const
type Expected = Partial<Record<(typeof names)[number], string>>

const everywhere: Expected = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}
const page: Expected = {
  ...everywhere,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' https://www.googletagmanager.com https://connect.facebook.net",
    "style-src 'self'",
    "img-src 'self' data: https://tiles.example",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self' https://www.google-analytics.com https://*.google-analytics.com https://www.googletagmanager.com https://www.facebook.com",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    'upgrade-insecure-requests',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(), microphone=(self), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
}
const api: Expected = {
  ...everywhere,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"
const secretPage: Expected = { ...page, 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

interface Kind {
  status: number
  url: string
  headers: Expected
  method?: string
  as?: 'customer' | 'admin'
  body?: string
  /** Repeats the request with the ETag of its first response. */
  isRepeated?: boolean
}

const kinds: Record<string, Kind> = {
  'JSON for everybody': { status: 200, url: '/api/vendors', headers: api },
  'JSON from the cache': { status: 200, url: '/api/products', headers: api },
  'JSON that is unchanged': { status: 304, url: '/api/vendors', headers: api, isRepeated: true },
  'JSON of a person': { status: 200, url: '/api/auth/me', headers: api, as: 'customer' },
  'a changed cart': {
    status: 200,
    url: '/api/cart/add',
    headers: api,
    method: 'POST',
    body: '{"productId":1,"quantity":1}',
  },
  'a response without a body': {
    status: 204,
    url: '/api/analytics/initiate-checkout',
    headers: api,
    method: 'POST',
    body: '{}',
  },
  'a download': { status: 200, url: '/api/admin/audit.csv', headers: api, as: 'admin' },
  'an event stream': { status: 200, url: streamEvents.path, headers: api, as: 'admin' },
  'the OpenAPI document': { status: 200, url: '/api/openapi.json', headers: api },
  'the page of the API': { status: 200, url: '/api/docs', headers: page },
  'the style sheet of the API': { status: 200, url: '/api/docs.css', headers: api },
  'an error 401': { status: 401, url: '/api/auth/me', headers: api },
  'an error 403': { status: 403, url: listNotifications.path, headers: api, as: 'customer' },
  'an error 404 of the API': { status: 404, url: '/api/nothing', headers: api },
  'an error 405': { status: 405, url: '/api/vendors', headers: api, method: 'PUT' },
  'an error 405 of a page': { status: 405, url: '/about', headers: page, method: 'DELETE' },
  'an error 422': { status: 422, url: '/api/cart/add', headers: api, method: 'POST', body: '{}' },
  'an error 413': {
    status: 413,
    url: '/api/cart/add',
    headers: api,
    method: 'POST',
    body: JSON.stringify('x'.repeat(200_000)),
  },
  'an error before routing': { status: 400, url: '/api/%zz', headers: api },
  'an error before routing of a page': { status: 400, url: '/%zz', headers: api },
  'a refused query': { status: 400, url: '/api/products?search=%', headers: api },
  'a page': { status: 200, url: '/about', headers: page },
  'a page from the cache': { status: 200, url: '/faqs', headers: page },
  'a page that is unchanged': { status: 304, url: '/terms', headers: page, isRepeated: true },
  'a page of a person': { status: 200, url: '/profile', headers: page, as: 'customer' },
  'a page of the admin': { status: 200, url: '/admin/orders', headers: page, as: 'admin' },
  'a redirect': { status: 302, url: '/orders', headers: page },
  'an unknown page': { status: 404, url: '/nothing', headers: page },
  'a page that fails': { status: 500, url: '/boom', headers: page },
  'the page of a sign-in link': { status: 200, url: '/magic-login/some-token', headers: secretPage },
  'a script': { status: 200, url: '/assets/app-abc123.js', headers: page },
  'a script for HEAD': { status: 200, url: '/assets/app-abc123.js', headers: page, method: 'HEAD' },
  'a script that is unchanged': { status: 304, url: '/assets/app-abc123.js', headers: page, isRepeated: true },
  'an icon': { status: 200, url: '/favicon.ico', headers: page },
  'an unknown file': { status: 404, url: '/assets/missing.js', headers: page },
  'the sitemap': { status: 200, url: '/sitemap.xml', headers: page },
  'the health check': { status: 200, url: '/healthz', headers: page },
  'a stored picture': {
    status: 200,
    url: '/media/§',
    headers: { ...page, ...api, 'content-security-policy': filePolicy },
  },
  'an unknown picture': { status: 404, url: `/media/${'0'.repeat(64)}`, headers: page },
}

/** Kinds whose second request is answered before routing. */
const cached = new Set(['JSON from the cache', 'a page from the cache', 'the sitemap'])

describe('the security headers of', () => {
  let picture = ''
  const cookies: Partial<Record<NonNullable<Kind['as']>, string>> = {}
  beforeAll(async () => {
    picture = await storeMedia(
      shop.app.db,
      { bytes: Buffer.alloc(64, 7), mimeType: 'image/webp', width: 8, height: 8 },
      'public',
    )
    for (const [who, phone] of [
      ['customer', '+97336000006'],
      ['admin', '+97336000001'],
    ] as const) {
      const person = await shop.visitor().signInAs(phone)
      cookies[who] = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    }
  })

  async function send({ url, method = 'GET', as, body }: Kind, more: Record<string, string> = {}) {
    const response = await fetch(address + url.replace('§', picture), {
      method,
      redirect: 'manual',
      headers: {
        ...(as ? { cookie: cookies[as] ?? '' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body }),
    })
    await response.body?.cancel()
    return response
  }

  it.each(Object.entries(kinds))('%s are complete and no others', async (name, kind) => {
    const first = kind.isRepeated || cached.has(name) ? await send(kind) : null
    const before = shop.app.responseCache.count()
    const { status, headers } = await send(
      kind,
      kind.isRepeated ? { 'if-none-match': first?.headers.get('etag') ?? '' } : {},
    )
    if (cached.has(name)) expect(shop.app.responseCache.count()).toBe(before + 1)
    const found = Object.fromEntries(names.flatMap((one) => (headers.has(one) ? [[one, headers.get(one)]] : [])))
    expect([status, found]).toEqual([kind.status, kind.headers])
    expect(headers.has('x-powered-by') || headers.has('server')).toBe(false)
  })

  it('a request that is not HTTP are those of an error without content', async () => {
    const head = (await exchange(address, 'nonsense\r\n\r\n')).split('\r\n\r\n')[0] ?? ''
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toContain('X-Content-Type-Options: nosniff')
  })
})
