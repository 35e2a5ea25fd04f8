import { endpoints } from '@qatra/contract/api'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { rolesAllowed } from '@qatra/contract/roles'
import { describe, expect, it } from 'vitest'
import { startShop } from './app.ts'
import { addressWith, keyOf, sentBy } from './ask.ts'
import { everybody, type Identity, identities, meet } from './identities.ts'
import type { Row } from './matrix-row.ts'
import { matrix } from './matrix-rows.ts'

const shop = await startShop()

function expected(endpoint: AnyEndpoint, row: Row, who: Identity): number {
  const allowed = rolesAllowed(endpoint.allow)
  const role = identities[who]?.role ?? null
  if (allowed !== null && role === null) return 401
  if (allowed !== null && role !== null && !allowed.includes(role)) return 403
  return row.but?.[who] ?? row.status
}

async function ask(endpoint: AnyEndpoint, row: Row, who: Identity) {
  const person = await meet(shop, who)
  const sent = await sentBy(shop, row, person)
  return person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })
}

describe('access by role', () => {
  it('has rows for every endpoint and no others', () => {
    expect(Object.keys(matrix).sort()).toEqual(endpoints.map(keyOf).sort())
  })

  it.each(endpoints.map((endpoint) => [keyOf(endpoint), endpoint] as const))('%s', async (key, endpoint) => {
    const rows = matrix[key] ?? []
    if (endpoint.path.includes('{') && endpoint.allow !== 'anyone') {
      expect(rows.length, 'a record’s endpoint has own and foreign rows').toBeGreaterThan(1)
    }
    const table: string[] = []
    const wanted: string[] = []
    for (const row of rows) {
      for (const who of everybody) {
        const { status } = await ask(endpoint, row, who)
        table.push(`${row.name} · ${who}: ${status}`)
        wanted.push(`${row.name} · ${who}: ${expected(endpoint, row, who)}`)
      }
    }
    expect(table).toEqual(wanted)
  })
})
