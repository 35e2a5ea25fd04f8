import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { rolesAllowed } from '@qatra/contract/users/roles'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, restingState, sentBy, wholeState } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { everybody, type Identity, identities, meet, ownPermissions, type Person } from '../fixtures/identities.ts'
import { makeUser, makeVisitor } from '../fixtures/make.ts'
import { sample, sampleSeed } from '../sample.ts'

const shop = await startShop({ role: 'web' })
const keyed = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [keyOf(endpoint), endpoint] as const)
const needing = endpoints.filter(({ permissions: needs }) => needs && needs.length > 0)
const personal = endpoints.filter(({ forbidWhileImpersonating: isPersonal }) => isPersonal)

/** A request that the person can repeat as long as it is refused: a refusal changes nothing. */
async function requestOf(endpoint: AnyEndpoint, person: Person) {
  const sent = await sentBy(shop, firstRow(endpoint), person)
  return async () => (await person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })).status
}

const isPlain = (who: Identity) => who !== 'other_vendor_admin' && ownPermissions(who).length === 0

/** Roles of the first vendor that the endpoint admits, without permissions of their own. */
const letIn = (endpoint: AnyEndpoint): Identity[] =>
  everybody.filter((who) => {
    const role = identities[who]?.role
    return role !== undefined && isPlain(who) && rolesAllowed(endpoint.allow)?.includes(role)
  })

const rows = await shop.query<{ name: string; permissions: string[] }>('select name, permissions from user_roles')
const restoreRoles = () =>
  shop.query(
    `update user_roles set permissions = before.permissions
     from jsonb_to_recordset($1) as before (name text, permissions text[])
     where user_roles.name = before.name and user_roles.permissions <> before.permissions`,
    [JSON.stringify(rows)],
  )
afterEach(restoreRoles)

const chosen = sample(
  needing.flatMap((endpoint) => letIn(endpoint).map((who) => ({ endpoint, who }))),
  0.25,
)

describe(`the permissions that an endpoint requires (seed ${sampleSeed})`, () => {
  it.each(keyed([...new Set(chosen.map(({ endpoint }) => endpoint))]))('%s', async (_, endpoint) => {
    const needs = endpoint.permissions ?? []
    for (const { who } of chosen.filter((one) => one.endpoint === endpoint)) {
      const whole = await (await requestOf(endpoint, await meet(shop, who)))()
      for (const permission of needs) {
        const role = identities[who]?.role
        const person = await meet(shop, who)
        const ask = await requestOf(endpoint, person)
        await shop.query('update user_roles set permissions = array_remove(permissions, $2) where name = $1', [
          role,
          permission,
        ])
        expect([who, permission, await ask()]).toEqual([who, permission, 403])
        // The person's own permissions are added to the role's, and count as much.
        await shop.query('update users set permissions = $2 where id = $1', [person.userId, needs])
        const restored = await ask()
        await restoreRoles()
        // If the role lacks the permission, the policy decides what it opens.
        expect([who, permission, restored]).toEqual([who, permission, whole === 403 ? restored : whole])
      }
    }
  })

  it('do not open endpoints that the role’s guard closes', async () => {
    for (const endpoint of sample(needing, 0.34)) {
      const outside = everybody.find((who) => identities[who] && !letIn(endpoint).includes(who) && isPlain(who))
      if (!outside) continue
      const person = await meet(shop, outside)
      await shop.query('update users set permissions = $2 where id = $1', [person.userId, endpoint.permissions])
      expect([keyOf(endpoint), await (await requestOf(endpoint, person))()]).toEqual([keyOf(endpoint), 403])
    }
  })
})

/** An explicit list, so that the test fails when an endpoint loses its flag. */
const personalKeys = [
  'DELETE /api/auth/account',
  'GET /api/auth/export',
  'POST /api/push/subscriptions',
  'DELETE /api/push/subscriptions',
  'POST /api/push/receipts',
  'POST /api/admin/magic-links',
  'POST /api/admin/magic-link/generate',
  'GET /api/admin/products.csv',
  'GET /api/admin/products.xlsx',
  'GET /api/admin/orders.csv',
  'GET /api/admin/orders.xlsx',
  'GET /api/admin/days/{date}/close.csv',
  'GET /api/admin/days/{date}/close.xlsx',
  'GET /api/admin/reports/corrections.csv',
  'GET /api/admin/reports/corrections.xlsx',
  'GET /api/admin/reports/payments.csv',
  'GET /api/admin/reports/payments.xlsx',
  'GET /api/admin/reports/vat.csv',
  'GET /api/admin/reports/vat.xlsx',
  'GET /api/admin/reports/conversations.csv',
  'GET /api/admin/reports/conversations.xlsx',
  'PUT /api/admin/users/{id}/role',
  'POST /api/admin/users',
  'POST /api/admin/keys',
  'DELETE /api/admin/keys/{id}',
  'POST /api/admin/webhook-endpoints',
  'PATCH /api/admin/webhook-endpoints/{id}',
  'DELETE /api/admin/webhook-endpoints/{id}',
  'POST /api/admin/webhook-endpoints/{id}/ping',
  'POST /api/admin/webhook-deliveries/{id}/resend',
  'POST /api/admin/users/import',
  'POST /api/admin/invitations/{id}/resend',
  'DELETE /api/admin/invitations/{id}',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys',
  'PATCH /api/auth/passkeys/{id}',
  'DELETE /api/auth/passkeys/{id}',
  'POST /api/admin/users/{id}/passkey-recovery',
  'POST /api/auth/invitations/{id}/accept',
  'POST /api/auth/invitations/{id}/decline',
  'PUT /api/delivery-area',
  'PUT /api/orders/{id}/rating',
  'DELETE /api/admin/users/{id}/vendor-access',
  'POST /api/admin/telegram/link',
  'DELETE /api/admin/telegram/link',
  'POST /api/admin/impersonate/{userId}',
  'GET /api/admin/customers.csv',
  'GET /api/admin/customers.xlsx',
  'GET /api/admin/bottles.csv',
  'GET /api/admin/bottles.xlsx',
  'GET /api/admin/audit.csv',
  'GET /api/admin/audit.xlsx',
  'POST /api/admin/whatsapp/reset',
  'POST /api/admin/whatsapp/setup/subscription',
  'POST /api/admin/whatsapp/setup/templates',
  'PUT /api/admin/whatsapp/setup/keys',
  'POST /api/admin/whatsapp/templates',
  'POST /api/admin/whatsapp/templates/sample',
  'PUT /api/admin/whatsapp/templates/{id}',
  'DELETE /api/admin/whatsapp/templates/{id}',
  'GET /api/admin/whatsapp/campaigns/{id}/sends.csv',
  'GET /api/admin/whatsapp/campaigns/{id}/sends.xlsx',
  'GET /api/admin/whatsapp/conversations/{contact}/messages.txt',
]

describe('during impersonation', () => {
  it('role changes, exports, erasure and another impersonation are rejected', () => {
    const keys = personal.map(keyOf)
    expect(keys.sort()).toEqual([...personalKeys].sort())
    const files = endpoints.filter(({ path }) => /\.(csv|xlsx)$/.test(path) && !path.includes('template')).map(keyOf)
    expect(files.filter((key) => !keys.includes(key))).toEqual([])
  })

  const requests: Record<string, (() => ReturnType<Person['send']>)[]> = {}
  let before: unknown

  beforeAll(async () => {
    for (const [key, endpoint] of keyed(personal)) {
      requests[key] = []
      for (const target of [{ role: 'vendor_admin', vendorId: 1 } as const, {}]) {
        const admin = Object.assign(await makeVisitor(shop, { role: 'super_admin' }), { role: null, userId: null })
        const person: Person = Object.assign(admin, { who: 'super_admin' as const })
        const { id } = await makeUser(shop, target)
        const sent = await sentBy(shop, firstRow(endpoint), person)
        await admin.call(startImpersonation, { params: { userId: String(id) }, body: { reason: 'to help' } })
        requests[key].push(() => admin.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body }))
      }
    }
    before = await restingState(shop)
  })

  it.each(personal.map(keyOf))('%s is rejected', async (key) => {
    expect(requests[key]).toHaveLength(2)
    for (const send of requests[key] ?? []) {
      const { status, refusal } = await send()
      expect([status, refusal.code]).toEqual([403, 'IMPERSONATING'])
    }
  })

  it('no rejected request changes anything', async () => {
    expect(await wholeState(shop)).toEqual(before)
  })
})
