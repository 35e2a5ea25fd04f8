import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { type Permission, rolePermissions } from '@qatra/contract/users/permissions'
import { type Role, roles } from '@qatra/contract/users/roles'
import { describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { everybody, type Identity, identities, meet, ownPermissions, type Person } from '../fixtures/identities.ts'
import { sample, sampleSeed } from '../sample.ts'
import type { Row, Sent } from './row.ts'
import { matrix } from './rows.ts'

const shop = await startShop({ role: 'web' })

const isForStaff = ({ path }: AnyEndpoint) => /^\/api\/(?:admin|sales)\//.test(path)
/** Of the shop's endpoints, those that need an account. */
const needsAccount =
  /^(?:PUT \/api\/delivery-area|\w+ \/api\/(?:auth\/(?:account|export|invitations|me|orders|passkeys|profile)|addresses|bottles|orders|push))\b/

const office: readonly Role[] = ['vendor_staff', 'vendor_admin', 'super_admin']
/** Staff's endpoints whose roles do not follow from the table of permissions. */
const pinned: Readonly<Record<string, readonly Role[]>> = {
  'GET /api/admin/impersonate/status': roles,
  'POST /api/admin/impersonate/stop': roles,
  'POST /api/admin/users/{id}/passkey-recovery': ['super_admin'],
  'GET /api/admin/whatsapp/webhooks': ['super_admin'],
  'POST /api/admin/whatsapp/webhooks/{id}/replay': ['super_admin'],
  // Vendors read their own record.
  'GET /api/admin/vendors': ['super_admin'],
  // Drivers change the status only.
  'PATCH /api/admin/orders/{id}/address': office,
  'PATCH /api/admin/orders/{id}/buyer': office,
  'PUT /api/admin/orders/{id}/items': office,
  'PATCH /api/admin/orders/{id}/promise': office,
  'POST /api/admin/orders/{id}/notes': office,
}
/** Changing endpoints for which permission to read is enough. */
const readersChange = [
  'POST /api/admin/notifications/read',
  'POST /api/admin/telegram/link',
  'DELETE /api/admin/telegram/link',
  'POST /api/admin/whatsapp/campaigns/preview',
]

/** By the permissions alone, so that `allow` of a declaration is tested against the table. */
function admits(endpoint: AnyEndpoint, role: Role | null, own: readonly Permission[]): boolean {
  const key = keyOf(endpoint)
  if (!isForStaff(endpoint)) return role !== null || !needsAccount.test(key)
  if (role === null) return false
  const held = [...rolePermissions[role], ...own]
  return pinned[key]?.includes(role) ?? (endpoint.permissions ?? []).every((one) => held.includes(one))
}

function expected(endpoint: AnyEndpoint, row: Row, who: Identity): number {
  const { role = null, vendorId = null } = identities[who] ?? {}
  if (!admits(endpoint, role, ownPermissions(who))) return role === null ? 401 : 403
  const isElsewhere = row.vendor !== undefined && vendorId !== null && vendorId !== row.vendor
  return row.but?.[who] ?? (isElsewhere ? (row.elsewhere ?? 404) : row.status)
}

/** Those whom their role refuses, and what they send: a refusal changes nothing. */
const refusedPeople = new Map<Identity, Person>()
const refusedRequests = new Map<Row, Sent>()

async function ask(endpoint: AnyEndpoint, row: Row, who: Identity) {
  const isAdmitted = admits(endpoint, identities[who]?.role ?? null, ownPermissions(who))
  const person = (!isAdmitted && refusedPeople.get(who)) || (await meet(shop, who))
  const sent = (!isAdmitted && refusedRequests.get(row)) || (await sentBy(shop, row, person))
  if (!isAdmitted) {
    refusedPeople.set(who, person)
    refusedRequests.set(row, sent)
  }
  return person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })
}

const rowsOf = (endpoint: AnyEndpoint) => matrix[keyOf(endpoint)] ?? []
const chosen = sample(
  endpoints.flatMap((endpoint) => rowsOf(endpoint).flatMap((row) => everybody.map((who) => ({ endpoint, row, who })))),
  0.5,
)
const asked = [...new Set(chosen.map(({ endpoint }) => endpoint))]

describe(`access by role (seed ${sampleSeed})`, () => {
  it('has rows for every endpoint and no others', () => {
    expect(Object.keys(matrix).sort()).toEqual(endpoints.map(keyOf).sort())
  })

  it('needs a permission at every endpoint of staff, and more than reading for a change', () => {
    const weak = endpoints.filter((endpoint) => {
      const { method, permissions = [] } = endpoint
      const isReader = permissions.every((permission) => permission.endsWith('.read'))
      return isForStaff(endpoint) && (permissions.length === 0 || (method !== 'GET' && isReader))
    })
    const known = Object.keys(pinned).filter((key) => /impersonate|webhooks/.test(key))
    expect(weak.map(keyOf).sort()).toEqual([...known, ...readersChange].sort())
  })

  it('has own and foreign rows for every endpoint of a record', () => {
    const weak = endpoints.filter(
      (endpoint) => endpoint.path.includes('{') && endpoint.allow !== 'anyone' && rowsOf(endpoint).length < 2,
    )
    expect(weak.map(keyOf)).toEqual([])
  })

  it.each(asked.map((endpoint) => [keyOf(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    const table: string[] = []
    const wanted: string[] = []
    for (const { row, who } of chosen.filter((one) => one.endpoint === endpoint)) {
      const { status } = await ask(endpoint, row, who)
      table.push(`${row.name} · ${who}: ${status}`)
      wanted.push(`${row.name} · ${who}: ${expected(endpoint, row, who)}`)
    }
    expect(table).toEqual(wanted)
  })
})
