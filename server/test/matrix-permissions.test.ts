import { endpoints } from '@qatra/contract/api'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { grantablePermissions, type Permission, permissions } from '@qatra/contract/permissions'
import { describe, expect, it } from 'vitest'
import { startShop } from './app.ts'
import { addressWith, keyOf, sentBy } from './ask.ts'
import { identities, meet } from './identities.ts'
import { makeOrder, makeUser } from './make.ts'
import type { Row } from './matrix-row.ts'
import { matrix } from './matrix-rows.ts'

const shop = await startShop()
const rolesBelowSuper = ['customer', 'vendor_sales', 'vendor_staff', 'vendor_admin', 'driver'] as const
type RoleBelowSuper = (typeof rolesBelowSuper)[number]

/** An explicit list, independent of the table: the endpoints that each permission opens for each role. */
const opens: readonly { role: RoleBelowSuper; permission: Permission; endpoint: string; row: string }[] = [
  {
    role: 'vendor_sales',
    permission: 'orders.export',
    endpoint: 'GET /api/admin/orders.csv',
    row: 'all',
  },
  {
    role: 'vendor_sales',
    permission: 'sales.ignore-coverage',
    endpoint: 'POST /api/sales/orders',
    row: 'beyond the areas, overridden',
  },
  {
    role: 'driver',
    permission: 'orders.export',
    endpoint: 'GET /api/admin/orders.csv',
    row: 'all',
  },
]

const own = (id: number | null, held: readonly Permission[]) =>
  shop.query('update users set permissions = $2 where id = $1', [id, held])

/** Status for a new person of the role with these permissions stored in the row. */
async function statusOf(endpoint: AnyEndpoint, row: Row, who: RoleBelowSuper, held: readonly Permission[]) {
  const person = await meet(shop, who)
  const sent = await sentBy(shop, row, person)
  await own(person.userId, held)
  return (await person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })).status
}
const isOpen = (status: number) => status < 300

describe('permissions of a person', () => {
  it('are grantable exactly as listed', () => {
    const listed = rolesBelowSuper.flatMap((role) => grantablePermissions[role].map((each) => `${role}: ${each}`))
    expect(listed.sort()).toEqual(opens.map(({ role, permission }) => `${role}: ${permission}`).sort())
    expect(grantablePermissions.super_admin).toEqual([])
  })

  const asked = endpoints.filter(({ allow }) => allow !== 'anyone').map((each) => [keyOf(each), each] as const)
  it.each(asked)('change the access to %s only as listed', async (key, endpoint) => {
    const opened: string[] = []
    for (const row of matrix[key] ?? []) {
      for (const who of rolesBelowSuper) {
        // Permissions only add rights: what all of them together do not open, none opens alone.
        if (!isOpen(await statusOf(endpoint, row, who, permissions))) continue
        const without = await statusOf(endpoint, row, who, [])
        if (isOpen(without)) continue
        for (const permission of permissions) {
          const status = await statusOf(endpoint, row, who, [permission])
          if (status !== without) opened.push(`${who} with ${permission}: ${row.name}, ${without} becomes ${status}`)
        }
        if (opened.length === 0) opened.push(`${who} with several permissions: ${row.name}`)
      }
    }
    const wanted = opens
      .filter((one) => one.endpoint === key)
      .map(({ role, permission, row }) => `${role} with ${permission}: ${row}, 403 becomes 200`)
    expect(opened).toEqual(wanted)
  })
})

describe('orders.export of a person', () => {
  it.each(['vendor_sales', 'driver'] as const)('gives a %s only their own orders', async (who) => {
    const [person, colleague] = [await meet(shop, who), await meet(shop, who)]
    const { id: userId } = await makeUser(shop)
    const { vendorId } = identities[who]
    const orderOf = (staffId: number | null, ofVendor: number) =>
      makeOrder(shop, {
        userId,
        vendorId: ofVendor,
        ...(who === 'driver' ? { assignedDriverId: staffId } : { placedBy: staffId }),
      })
    const mine = await orderOf(person.userId, vendorId)
    const others = [
      await orderOf(colleague.userId, vendorId),
      await orderOf(null, vendorId),
      // An order of the person's former vendor.
      await orderOf(person.userId, 2),
    ]
    await own(person.userId, ['orders.export'])
    const { status, body } = await person.send('GET', '/api/admin/orders.csv')
    expect([status, String(body).includes(mine)]).toEqual([200, true])
    for (const id of others) expect(String(body)).not.toContain(id)
  })
})
