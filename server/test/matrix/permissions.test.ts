import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { grantablePermissions, type Permission, permissions } from '@qatra/contract/users/permissions'
import { describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { identities, meet, type Person } from '../fixtures/identities.ts'
import { makeOrder, makeUser } from '../fixtures/make.ts'
import { sample, sampleSeed } from '../sample.ts'
import type { Row, Sent } from './row.ts'
import { matrix } from './rows.ts'

const shop = await startShop({ role: 'web' })
const rolesBelowSuper = ['customer', 'vendor_sales', 'vendor_staff', 'vendor_admin', 'driver'] as const
type RoleBelowSuper = (typeof rolesBelowSuper)[number]

/** An explicit list, independent of the table: the endpoints that each permission opens for each role. */
const opens: readonly { role: RoleBelowSuper; permission: Permission; endpoint: string; row: string }[] = [
  ...[
    ['GET /api/sales/customers', 'of the first vendor'],
    ['POST /api/sales/orders', 'of the first vendor'],
    ['GET /api/sales/price-floors', 'always'],
    ['GET /api/sales/orders', 'always'],
    ['GET /api/sales/days', 'always'],
    ['GET /api/sales/orders/{id}', 'own'],
  ].map(([endpoint = '', row = '']) => ({ role: 'vendor_staff', permission: 'sales.place', endpoint, row }) as const),
  ...['conversations', 'conversations.csv', 'conversations.xlsx'].map(
    (file) =>
      ({
        role: 'vendor_admin',
        permission: 'whatsapp.read',
        endpoint: `GET /api/admin/reports/${file}`,
        row: 'all',
      }) as const,
  ),
  ...(['vendor_sales', 'driver'] as const).flatMap((role) =>
    ['csv', 'xlsx'].map(
      (ending) =>
        ({ role, permission: 'orders.export', endpoint: `GET /api/admin/orders.${ending}`, row: 'all' }) as const,
    ),
  ),
  {
    role: 'vendor_sales',
    permission: 'sales.ignore-coverage',
    endpoint: 'POST /api/sales/orders',
    row: 'beyond the areas, overridden',
  },
]

const SEVERAL = 'several permissions'

/** Endpoints of the inbox that an agent's permissions open: to read alone, or together with replying. */
const inbox = '/api/admin/whatsapp'
const forReaders = [
  `GET ${inbox}/conversations`,
  `GET ${inbox}/conversations/{contact}`,
  `GET ${inbox}/conversations/{contact}/messages`,
  `GET ${inbox}/conversations/{contact}/search`,
  `GET ${inbox}/conversations/{contact}/cart`,
  `GET ${inbox}/pictures/{id}`,
  `GET ${inbox}/files/{id}`,
  `GET ${inbox}/people`,
  `GET ${inbox}/labels`,
  `GET ${inbox}/reply-templates`,
  `GET ${inbox}/canned-replies`,
]
const forAgents = [
  `GET ${inbox}/duty`,
  `PUT ${inbox}/duty`,
  `POST ${inbox}/conversations/{contact}/messages`,
  `POST ${inbox}/conversations/{contact}/messages/{id}/retry`,
  `POST ${inbox}/conversations/{contact}/read`,
  `POST ${inbox}/conversations/{contact}/takeover`,
  `POST ${inbox}/conversations/{contact}/handback`,
  `POST ${inbox}/conversations/{contact}/resolve`,
  `POST ${inbox}/conversations/{contact}/reopen`,
  `POST ${inbox}/conversations/{contact}/presence`,
  `POST ${inbox}/conversations/{contact}/notes`,
  `PUT ${inbox}/conversations/{contact}/assignment`,
  `PUT ${inbox}/conversations/{contact}/snooze`,
  `PUT ${inbox}/conversations/{contact}/opt-out`,
  `PUT ${inbox}/conversations/{contact}/mute`,
  `PUT ${inbox}/conversations/{contact}/block`,
  `GET ${inbox}/conversations/{contact}/messages.txt`,
  `PATCH ${inbox}/conversations/{contact}/labels`,
  `PATCH ${inbox}/conversations/{contact}/cart/{itemId}`,
  `POST ${inbox}/conversations/{contact}/cart/confirmation`,
  `POST ${inbox}/files/{id}/fetch`,
]

/** Needs `sales.place` too, so it is not grantable to staff. */
const overridden = { role: 'vendor_staff', permission: SEVERAL, row: 'beyond the areas, overridden' }

/** What they open for the staff of the first vendor: conversations of its customers and of nobody's. */
const openedInInbox = (key: string) => {
  const by = forReaders.includes(key) ? 'whatsapp.read' : forAgents.includes(key) ? SEVERAL : null
  if (by === null) return []
  const rows = (matrix[key] ?? []).filter(({ status, vendor }) => status === 200 && vendor !== 2)
  return rows.flatMap(({ name }) =>
    (['vendor_staff', 'vendor_admin'] as const).map((role) => ({ role, permission: by, row: name })),
  )
}

const own = (id: number | null, held: readonly Permission[]) =>
  shop.query('update users set permissions = $2 where id = $1', [id, held])

/**
 * Asks as a person of the role with these permissions stored in the row. A refused request changes nothing, so the next
 * one is sent by the same person; after an accepted one it is a new person and a new record.
 */
function asking(endpoint: AnyEndpoint, row: Row, who: RoleBelowSuper) {
  let prepared: { person: Person; sent: Sent } | null = null
  return async (held: readonly Permission[]): Promise<number> => {
    if (!prepared) {
      const person = await meet(shop, who)
      prepared = { person, sent: await sentBy(shop, row, person) }
    }
    const { person, sent } = prepared
    await own(person.userId, held)
    const { status } = await person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })
    if (isOpen(status)) prepared = null
    return status
  }
}
const isOpen = (status: number) => status < 300

/** Permissions that change the status each alone. What several change nothing together, none of them changes alone. */
async function changersAmong(
  held: readonly Permission[],
  statusOf: ReturnType<typeof asking>,
  without: number,
): Promise<{ permission: Permission; status: number }[]> {
  const [permission, ...others] = held
  if (permission === undefined) return []
  const status = await statusOf(held)
  if (status === without) return []
  if (others.length === 0) return [{ permission, status }]
  const half = Math.ceil(held.length / 2)
  return [
    ...(await changersAmong(held.slice(0, half), statusOf, without)),
    ...(await changersAmong(held.slice(half), statusOf, without)),
  ]
}

describe(`permissions of a person (seed ${sampleSeed})`, () => {
  it('are grantable exactly as listed', () => {
    const listed: string[] = rolesBelowSuper.flatMap((role) =>
      grantablePermissions[role].map((each) => `${role}: ${each}`),
    )
    const agents = ['vendor_staff', 'vendor_admin'].flatMap((role) => [
      `${role}: whatsapp.read`,
      `${role}: whatsapp.reply`,
    ])
    // Decide within a request: a payment that is negative (`server/drivers/closing.test.ts`), bottles that are lost
    // (`server/customers/bottles.test.ts`).
    const refunding = ['vendor_staff: orders.refund', 'vendor_staff: bottles.write-off']
    const opening = opens.map(({ role, permission }) => `${role}: ${permission}`)
    expect(listed.sort()).toEqual([...new Set([...opening, ...agents, ...refunding])].sort())
    expect(grantablePermissions.super_admin).toEqual([])
  })

  const asked = endpoints.filter(({ allow }) => allow !== 'anyone').map((each) => [keyOf(each), each] as const)
  it.each(sample(asked, 0.2))('change the access to %s only as listed', async (key, endpoint) => {
    const opened: string[] = []
    for (const row of matrix[key] ?? []) {
      for (const who of rolesBelowSuper) {
        const statusOf = asking(endpoint, row, who)
        const without = await statusOf([])
        if (isOpen(without)) continue
        // Permissions only add rights: what all of them together do not open, none opens alone.
        if (!isOpen(await statusOf(permissions))) continue
        const alone = (await changersAmong(permissions, statusOf, without)).map(
          ({ permission, status }) => `${who} with ${permission}: ${row.name}, ${without} becomes ${status}`,
        )
        opened.push(...(alone.length > 0 ? alone : [`${who} with ${SEVERAL}: ${row.name}, 403 becomes 200`]))
      }
    }
    const beyond = key === 'POST /api/sales/orders' ? [overridden] : []
    const wanted = [...opens.filter((one) => one.endpoint === key), ...beyond, ...openedInInbox(key)].map(
      ({ role, permission, row }) => `${role} with ${permission}: ${row}, 403 becomes 200`,
    )
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
