import type { TestShop } from './app.ts'
import type { Person } from './identities.ts'
import { makeOrder, makeUser } from './make.ts'
import type { Row } from './matrix-row.ts'

const driverOf = async (shop: TestShop, vendorId: number) => (await makeUser(shop, { role: 'driver', vendorId })).id

let keys = 0
const newKey = () => `matrix-key-${(keys += 1)}`

/** The driver's own data, drivers of both vendors, and an unknown one. Only drivers and staff have access. */
const ofDriver = (send: () => { body?: unknown } = () => ({})): Row[] => {
  const row = (
    name: string,
    make: (shop: TestShop, person: Person) => Promise<number> | number,
    expected: object,
  ): Row => ({
    name,
    status: 200,
    ...expected,
    send: async (shop, person) => ({ params: { id: await make(shop, person) }, ...send() }),
  })
  return [
    row('one of the first vendor', (shop) => driverOf(shop, 1), {
      but: { other_vendor_admin: 404, driver: 404, vendor_sales: 403 },
    }),
    row('himself', (_, { userId }) => userId ?? 0, { status: 404, but: { driver: 200, vendor_sales: 403 } }),
    row('one of the second vendor', (shop) => driverOf(shop, 2), {
      status: 404,
      but: { other_vendor_admin: 200, super_admin: 200, vendor_sales: 403 },
    }),
    row('nobody', () => 2_000_000_000, { status: 404, but: { vendor_sales: 403 } }),
  ]
}

const attempted = (
  name: string,
  make: (shop: TestShop, person: Person) => Promise<string> | string,
  expected: Pick<Row, 'status' | 'but'>,
): Row => ({
  name,
  ...expected,
  send: async (shop, person) => ({ params: { id: await make(shop, person) }, body: { reason: 'absent' } }),
})
const orderAt = async (shop: TestShop, vendorId: number, assignedDriverId: number | null = null) =>
  makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, assignedDriverId })

export const driverRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/drivers/day': [
    { name: 'everything', status: 200 },
    {
      name: 'of the second vendor',
      status: 403,
      but: { other_vendor_admin: 200, super_admin: 200 },
      send: () => ({ query: { vendorId: '2' } }),
    },
  ],
  'GET /api/admin/drivers/{id}/run': ofDriver(),
  'PUT /api/admin/drivers/{id}/run': ofDriver(() => ({ body: { orderIds: [] } })),
  'GET /api/admin/drivers/{id}/cash': ofDriver(),
  'POST /api/admin/drivers/{id}/cash': ofDriver(() => ({ body: { kind: 'counted', amount: 1, key: newKey() } })),
  'POST /api/admin/orders/{id}/attempts': [
    attempted('of the first vendor, nobody’s', (shop) => orderAt(shop, 1), {
      status: 200,
      but: { other_vendor_admin: 404, driver: 404 },
    }),
    attempted('of the first vendor, this driver’s', (shop, { userId }) => orderAt(shop, 1, userId), {
      status: 200,
      but: { other_vendor_admin: 404 },
    }),
    attempted('of the second vendor', (shop) => orderAt(shop, 2), {
      status: 404,
      but: { other_vendor_admin: 200, super_admin: 200 },
    }),
    attempted('unknown', () => 'AAAA2222BBBB3333', { status: 404 }),
  ],
}
