import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, restingState, sentBy, wholeState } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { meet, type Person } from '../fixtures/identities.ts'
import type { Sent } from '../matrix/row.ts'
import { sample, sampleSeed } from '../sample.ts'

const shop = await startShop({ role: 'web' })
const changing = sample(
  endpoints.filter(({ method }) => method !== 'GET'),
  0.25,
).map((endpoint) => [keyOf(endpoint), endpoint] as const)
const reading = endpoints.filter(({ method }) => method === 'GET')

const foreign: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'http://localhost:3001' },
  { origin: 'http://localhost:3000.evil.example' },
  { origin: 'https://localhost:3000' },
  { origin: 'http://user@localhost:3000' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'Same-Origin ' },
]
const own: Record<string, string>[] = [
  {},
  { origin: 'http://localhost:3000' },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  { origin: 'http://127.0.0.1:3000' },
  { origin: 'http://[::1]:3000' },
  { 'sec-fetch-site': 'same-origin' },
]
/** A role that can call the endpoint. */
const caller = ({ path }: AnyEndpoint) => (/^\/api\/(?:admin|sales)/.test(path) ? 'super_admin' : 'customer')

describe(`requests of another site with the cookies of a signed-in user (seed ${sampleSeed})`, () => {
  const prepared: Record<string, { person: Person; sent: Sent }> = {}
  let before: unknown

  beforeAll(async () => {
    for (const [key, endpoint] of changing) {
      const person = await meet(shop, caller(endpoint))
      prepared[key] = { person, sent: await sentBy(shop, firstRow(endpoint), person) }
    }
    before = await restingState(shop)
  })

  it.each(changing)('cannot %s', async (key, endpoint) => {
    const found = prepared[key]
    if (!found) throw new Error(`Nothing was prepared for ${key}`)
    const { person, sent } = found
    for (const headers of foreign) {
      const { status, refusal } = await person.send(endpoint.method, addressWith(endpoint, sent), {
        body: sent.body ?? {},
        headers,
      })
      expect([headers, status, refusal.code]).toEqual([headers, 403, 'CROSS_ORIGIN'])
    }
    // Content types that a form can send without a preflight request.
    for (const kind of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      const { status } = await person.send(endpoint.method, addressWith(endpoint, sent), {
        raw: JSON.stringify(sent.body ?? {}),
        headers: { 'content-type': kind, 'sec-fetch-site': 'cross-site' },
      })
      expect([403, 415]).toContain(status)
    }
  })

  it('change nothing', async () => {
    expect(await wholeState(shop)).toEqual(before)
  })
})

describe(`requests of the shop’s own pages and of clients that are not browsers (seed ${sampleSeed})`, () => {
  // Control: the same requests succeed from the shop's own origin.
  it.each(changing)('can %s', async (_, endpoint) => {
    const row = firstRow(endpoint)
    for (const headers of own) {
      const person = await meet(shop, caller(endpoint))
      const sent = await sentBy(shop, row, person)
      const { status } = await person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body, headers })
      expect([headers, status]).toEqual([headers, row.but?.[caller(endpoint)] ?? row.status])
    }
  })
})

describe('GET requests', () => {
  it('of another site change nothing, and cannot search for places', async () => {
    // A new shop, without what earlier tests wrote.
    const quiet = await startShop({ role: 'web' })
    const people = { customer: await meet(quiet, 'customer'), super_admin: await meet(quiet, 'super_admin') }
    const asked = await Promise.all(
      reading.map(async (endpoint) => {
        const person = people[caller(endpoint)]
        return { endpoint, person, sent: await sentBy(quiet, firstRow(endpoint), person) }
      }),
    )
    // Except for the log entry of an export.
    const written = ['audit_log']
    const before = await restingState(quiet, written)
    for (const { endpoint, person, sent } of asked) {
      const { status } = await person.send('GET', addressWith(endpoint, sent), {
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      })
      const row = firstRow(endpoint)
      const own = row.but?.[caller(endpoint)] ?? row.status
      const expected = endpoint.path.startsWith('/api/geocode/') ? 403 : own
      expect([keyOf(endpoint), status]).toEqual([keyOf(endpoint), expected])
    }
    expect(await wholeState(quiet, written)).toEqual(before)
  })
})
