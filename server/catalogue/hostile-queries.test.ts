import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { findAreaAt, listAreas } from '@qatra/contract/places/areas'
import { reversePlace, searchPlaces } from '@qatra/contract/places/geocode'
import { listProducts } from '@qatra/contract/products/products'
import { getSite } from '@qatra/contract/settings/site'
import { getDeliveryDate, listVendors } from '@qatra/contract/vendors/vendors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { repeated } from '../test/sample.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()

const parameters: [AnyEndpoint, string[]][] = [
  [listVendors, ['page', 'vendorId']],
  [listProducts, ['vendorId', 'category', 'search']],
  [listAreas, ['limit']],
  [findAreaAt, ['lat', 'lng']],
  [getDeliveryDate, ['vendorId', 'at']],
  [getSite, ['lang']],
  [searchPlaces, ['q']],
  [reversePlace, ['lat', 'lng']],
]

const favourites = [
  '',
  '0',
  '-0',
  '1e9',
  '1e309',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  '%',
  '_',
  "' or 1=1 --",
  '\\',
  '../../etc/passwd',
  '\u0000',
  '\u202e',
  '\ud800',
  '٤٢',
  '2026-13-01T00:00:00Z',
  'a'.repeat(100_000),
  'ا'.repeat(10_000),
  ' '.repeat(50_000),
  '26.2',
  '50.5',
  '1,5l'.repeat(2000),
]
const value = fc.oneof(
  fc.constantFrom(...favourites),
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
)
const asQuery = (pairs: [string, string][]) =>
  pairs.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`)

describe('arbitrary queries', () => {
  it.each(parameters.map(([endpoint, names]) => [endpoint.path, names] as const))(
    'of %s get a result or an error of the contract',
    async (path, names) => {
      const pair = fc.tuple(
        fc.oneof({ arbitrary: fc.constantFrom(...names), weight: 5 }, fc.constantFrom('x', '__proto__', 'a[b]')),
        value,
      )
      await fc.assert(
        fc.asyncProperty(fc.array(pair, { maxLength: 4 }), async (pairs) => {
          const { status, refusal } = await guest.send('GET', `${path}?${asQuery(pairs).join('&')}`)
          expect([200, 400, 404, 414]).toContain(status)
          if (status !== 200) expect(typeof refusal.message).toBe('string')
        }),
        { numRuns: repeated(250, 60) },
      )
    },
  )

  it.each(['%', '%E0%A4', '%ff%fe', '&&&=', 'vendorId', '?', '[]=1', 'search=%25%'])(
    'with the malformed query %s get 200, 400 or 404',
    async (query) => {
      for (const [endpoint] of parameters)
        expect([200, 400, 404]).toContain((await guest.send('GET', `${endpoint.path}?${query}`)).status)
    },
  )

  it('of 100 KB are answered within a second of processor time', async () => {
    const worst = [
      'a'.repeat(100_000),
      '1'.repeat(100_000),
      'ا'.repeat(30_000),
      `${' '.repeat(50_000)}x`,
      '1,'.repeat(50_000),
    ]
    for (const [endpoint, names] of parameters) {
      for (const text of worst) {
        const before = process.threadCpuUsage()
        await guest.send(
          'GET',
          `${endpoint.path}?${names.map((name) => `${name}=${encodeURIComponent(text)}`).join('&')}`,
        )
        const { user, system } = process.threadCpuUsage(before)
        expect((user + system) / 1000).toBeLessThan(1000)
      }
    }
  })
})
