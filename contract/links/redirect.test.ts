import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkRedirect, redirectWithParams, safeRedirect, safeRedirectParams } from './redirect.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 2000) }
const origin = 'https://qatra.example'
const away = (value: unknown) => safeRedirect(value, origin, '/orders')

const hosts = [
  'evil.example',
  'evil.example/orders',
  'user@evil.example',
  'qatra.example.evil.example',
  '[::1]',
  '0x7f.1',
]
const starts = [
  '//',
  '///',
  '////',
  '/\\',
  '\\/',
  '\\\\',
  '/\\/',
  '/%09/',
  '/\t/',
  '\t//',
  '/\n/',
  '/\r\n/',
  ' //',
  '/ /',
  '/.//',
  '/..//',
  '/%2e//',
  '/%2e%2e//',
  '/./\\',
  '/%5c%5c',
  '/%5C/',
  '/%2f%2f',
  '/%2F/',
  'https:',
  'https:/',
  'https://',
  'https:\\\\',
  'HTTPS://',
  'http://',
  'ftp://',
  '/https://',
  '//orders@',
  '/\u0000/',
  '/\u3002/',
  '/\uff0f/',
  '\uff0f\uff0f',
  '/\u2044/',
  '/\u2025/',
  '/\u200b/',
  '/\ufeff/',
]
const others = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '/javascript:alert(1)',
  'javascript://qatra.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://qatra.example/1',
  'about:blank',
  'mailto:a@evil.example',
  'orders',
  './orders',
  '../orders',
  '?redirect=//evil.example',
  '#orders',
  '',
  ' ',
  ' /orders',
  '/orders\r\nSet-Cookie: a=b',
  '/orders\u0000',
  '/orders\u0085',
  '/orders\\..\\..',
  '/orders\\@evil.example',
  '/orders/..//evil.example',
  '/orders/%2e%2e//evil.example',
  '/orders/.%2E//evil.example',
  '/orders/../../..//evil.example/',
  '/orders/../login',
  '/orders/../api/auth/me',
  '/orders\ud800',
  '/Orders',
  '/orders%2f',
  '/ordersx',
  '/login',
  '/login?redirect=/login',
  '/magic-login/token',
  '/api/cart',
  '/api/auth/logout',
  '/simulator',
  '/404',
  '/__proto__',
  '/constructor',
  '/toString',
  '/.well-known/x',
  '/%6frders',
  `/orders/${'a'.repeat(505)}`,
  '/'.repeat(100_000),
  'https://qatra.example/orders',
  'https://qatra.example@evil.example/orders',
  '//qatra.example/orders',
  '/\\qatra.example/orders',
  null,
  undefined,
  0,
  true,
  [],
  ['/orders'],
  {},
  { toString: () => '/orders' },
  Number.NaN,
]
const payloads: unknown[] = [...starts.flatMap((start) => hosts.map((host) => start + host)), ...others]

describe('redirect targets after sign-in', () => {
  it('are tested with more than 200 payloads', () => {
    expect(payloads.length).toBeGreaterThan(200)
  })

  it.each(payloads.map((payload) => [typeof payload === 'string' ? payload.slice(0, 60) : payload, payload]))(
    'are rejected: %j',
    (_, payload) => {
      expect(safeRedirect(payload, origin, '/fallback')).toBe('/fallback')
    },
  )

  it('would include several payloads if only the first character were checked', () => {
    const naive = (value: unknown) => (typeof value === 'string' && /^\/[^/]/.test(value) ? value : '/fallback')
    const leave = payloads.filter((payload) => {
      const url = URL.canParse(naive(payload), origin) ? new URL(naive(payload), origin) : null
      return url !== null && url.origin !== origin
    })
    expect(leave.length).toBeGreaterThan(5)
  })

  it.each([
    '/',
    '/?vendor=3&size=500ml',
    '/orders',
    '/orders/9HXR4TVCM2KE7QWA?placed=1#top',
    '/checkout',
    '/products/7',
    '/profile',
    '/about',
    '/faqs',
    '/privacy',
    '/admin/orders?status=new',
    '/orders?next=https://evil.example',
    '/orders//evil.example',
    '/orders/@evil.example',
    '/#//evil.example',
  ])('are accepted: %s', (path) => {
    expect(safeRedirect(path, origin, '/fallback')).toBe(path)
  })

  it('are normalized as the browser parses them', () => {
    expect(away('/orders/./a/../b')).toBe('/orders/b')
    expect(away('/products/مياه')).toBe('/products/%D9%85%D9%8A%D8%A7%D9%87')
  })

  it('fall back if the origin of the shop is unknown', () => {
    for (const none of ['', 'null', 'qatra.example', 'https://qatra.example/']) {
      expect(safeRedirect('/orders', none, '/')).toBe('/')
    }
  })
})

const piece = fc.constantFrom(
  '/',
  '\\',
  '.',
  '..',
  '%2e',
  '%2f',
  '%5c',
  '%09',
  '\t',
  '\n',
  '\r',
  '\u0000',
  ' ',
  '@',
  ':',
  '?',
  '#',
  '&',
  '=',
  'orders',
  'admin',
  'checkout',
  'evil.example',
  'https:',
  'javascript:',
  'qatra.example',
  '\u3002',
  '\uff0f',
  '\ud800',
  'ا',
  '%',
)
const nasty = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
const anyRedirect = fc.oneof(
  nasty,
  nasty.map((rest) => `/${rest}`),
  nasty.map((rest) => `/orders/${rest}`),
  fc.webUrl(),
  fc.string({ unit: 'binary' }),
  fc.anything(),
)
const parameter = fc.oneof(
  nasty,
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.anything(),
)
const anyParams = fc.oneof(
  fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('vendor', 'redirect', 'redirectUrl', '__proto__', 'a-b')),
    parameter,
  ),
  fc.json(),
  fc.anything(),
)
const allowed = /^\/(?:$|[?#]|(?:orders|checkout|products|profile|about|faqs|privacy|admin|fallback)(?:$|[/?#]))/

describe('redirects', () => {
  it("stay on the shop's origin, and safe ones are unchanged", () => {
    fc.assert(
      fc.property(anyRedirect, fc.constantFrom(origin, 'http://localhost:3000'), (value, ours) => {
        const path = safeRedirect(value, ours, '/fallback')
        expect(new URL(path, ours).origin).toBe(ours)
        expect(path).toMatch(allowed)
        expect(safeRedirect(path, ours, '/fallback')).toBe(path.length > 512 ? '/fallback' : path)
      }),
      runs,
    )
  })

  it("stay on the shop's origin with any parameters", () => {
    fc.assert(
      fc.property(anyRedirect, anyParams, (value, params) => {
        const path = redirectWithParams(value, params, origin)
        expect(new URL(path, origin).origin).toBe(origin)
        expect(path).toMatch(allowed)
        expect(new URL(path, origin).pathname).toBe(new URL(linkRedirect(value, origin), origin).pathname)
      }),
      runs,
    )
  })
})

describe('the redirect of a magic link', () => {
  it.each(['/admin', '/admin/', '/admin/orders?status=new', '/orders/../admin/users', '/admin/../admin'])(
    '%s becomes the home page, because a link signs in only customers',
    (path) => {
      expect(linkRedirect(path, origin)).toBe('/')
      expect(redirectWithParams(path, { from: 'offer' }, origin)).toBe('/?from=offer')
    },
  )

  it('accepts a shop page with its query', () => {
    expect(linkRedirect('/orders?page=2', origin)).toBe('/orders?page=2')
    expect(linkRedirect('/admin/../orders', origin)).toBe('/orders')
  })
})

describe('parameters of a redirect', () => {
  it('accept strings, numbers and booleans of a flat object', () => {
    expect(safeRedirectParams('{"vendor":3,"size":"500ml","isNew":true}')).toEqual({
      vendor: '3',
      size: '500ml',
      isNew: 'true',
    })
    expect(safeRedirectParams({ vendor: 3 })).toEqual({ vendor: '3' })
  })

  it.each([
    ['', null],
    ['no JSON', 'nothing {'],
    ['an array', '["a"]'],
    ['null', 'null'],
    ['a text', '"vendor"'],
    ['a number', 7],
    ['nothing', undefined],
    ['a list', [1, 2]],
    ['nested', '{"a":{"b":1}}'],
    ['a list inside', '{"a":[1]}'],
    ['null inside', '{"a":null}'],
    ['1e309', '{"a":1e309}'],
    ['__proto__', '{"__proto__":"x"}'],
    ['redirect', '{"redirect":"/orders"}'],
    ['redirectUrl', '{"redirectUrl":"//evil.example"}'],
    ['a good one beside a bad one', '{"vendor":"3","redirectUrl":"//evil.example"}'],
    ['a bad one before a good one', '{"a":{"b":1},"vendor":"3"}'],
    ['REDIRECT', '{"REDIRECT":"//evil.example"}'],
    ['a key that begins with a digit', '{"1a":"x"}'],
    ['an empty key', '{"":"x"}'],
    ['a key with a space', '{"a b":"x"}'],
    ['a key too long', JSON.stringify({ ['a'.repeat(32)]: 'x' })],
    ['eleven', JSON.stringify(Object.fromEntries([...'abcdefghijk'].map((key) => [key, 1])))],
    ['more than 2 kB', JSON.stringify({ a: 'x'.repeat(2048) })],
    ['more than 2 kB, parsed', { a: 'x'.repeat(2048) }],
    ['little in much space', `${' '.repeat(2048)}{"a":1}`],
    ['a megabyte', JSON.stringify({ a: 'x'.repeat(1e6) })],
    ['depth', '['.repeat(100_000)],
  ])('are omitted for %s', (_, value) => {
    expect(safeRedirectParams(value)).toEqual({})
  })

  it('are limited to 2 kB in total', () => {
    expect(safeRedirectParams({ a: 'x'.repeat(2047) })).toEqual({ a: 'x'.repeat(2047) })
    expect(safeRedirectParams({ a: 'x'.repeat(2046), b: 'y' })).toEqual({})
  })

  it('cannot change a prototype', () => {
    safeRedirectParams('{"__proto__":{"polluted":1},"constructor":"x"}')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('are added to the query of the path', () => {
    const join = (path: unknown, params: unknown) => redirectWithParams(path, params, origin)
    expect(join('/orders?page=2#top', { page: 3, q: 'a&b=c d' })).toBe('/orders?page=3&q=a%26b%3Dc+d#top')
    expect(join('//evil.example', { vendor: 3 })).toBe('/?vendor=3')
    expect(join('/checkout', '{"redirect":"//evil.example"}')).toBe('/checkout')
    expect(join('/checkout', 'broken')).toBe('/checkout')
    expect(join(null, null)).toBe('/')
    expect(join('/orders', { q: '\ud800' })).toBe('/orders?q=%EF%BF%BD')
    expect(join('/orders', { q: 'م'.repeat(2000) })).toBe('/orders')
  })
})
