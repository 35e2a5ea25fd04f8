import type { TestShop } from './app.ts'
import type { Person } from './identities.ts'
import { makeOrder, makeUser } from './make.ts'
import type { Row } from './matrix-row.ts'

const orderAt = async (shop: TestShop, vendorId: number, assignedDriverId: number | null = null) =>
  makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, assignedDriverId })

type Send = (shop: TestShop) => { body?: unknown } | Promise<{ body?: unknown }>

/** Orders of both vendors and an unknown id. */
const rows = (send: Send = () => ({})): Row[] => {
  const row = (name: string, make: (shop: TestShop, person: Person) => Promise<string>, expected: object): Row => ({
    name,
    status: 200,
    ...expected,
    send: async (shop, person) => ({ params: { id: await make(shop, person) }, ...(await send(shop)) }),
  })
  return [
    row('of the first vendor, nobody’s', (shop) => orderAt(shop, 1), {
      but: { other_vendor_admin: 404, driver: 404, vendor_sales: 404 },
    }),
    row('of the first vendor, this driver’s', (shop, { userId }) => orderAt(shop, 1, userId), {
      but: { other_vendor_admin: 404, vendor_sales: 404 },
    }),
    row('of the second vendor', (shop) => orderAt(shop, 2), {
      status: 404,
      but: { other_vendor_admin: 200, super_admin: 200 },
    }),
    row('unknown', async () => 'AAAA2222BBBB3333', { status: 404 }),
  ]
}

const ofVendor = (more: object = {}): Row[] => [
  { name: 'everything', status: 200, ...more },
  {
    name: 'of the second vendor',
    status: 403,
    but: { other_vendor_admin: 200, super_admin: 200 },
    send: () => ({ query: { vendorId: '2' } }),
  },
]

/** A driver of the first vendor, who cannot be assigned an order of the second. */
const aDriver: Send = async (shop) => ({
  body: { driverId: (await makeUser(shop, { role: 'driver', vendorId: 1 })).id },
})

export const orderDeskRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/orders': ofVendor(),
  'GET /api/admin/orders/counts': ofVendor(),
  'GET /api/admin/orders.csv': ofVendor({ but: { vendor_sales: 403, driver: 403 } }),
  'GET /api/admin/drivers': ofVendor(),
  'GET /api/admin/dashboard': ofVendor(),
  'GET /api/admin/orders/{id}': rows(),
  'GET /api/admin/orders/{id}/timeline': rows(),
  'POST /api/admin/orders/bulk': [
    {
      name: 'of both vendors, each for itself',
      status: 200,
      send: async (shop) => ({ body: { ids: [await orderAt(shop, 1), await orderAt(shop, 2)], status: 'shipped' } }),
    },
  ],
  'PATCH /api/admin/orders/{id}/payment': rows(() => ({ body: { paymentStatus: 'paid' } })),
  'PUT /api/admin/orders/{id}/driver': rows(aDriver).map((row) =>
    // No driver works for two vendors.
    row.name === 'of the second vendor' ? { ...row, but: { other_vendor_admin: 422, super_admin: 422 } } : row,
  ),
  'DELETE /api/admin/orders/{id}/driver': rows(),
  'PATCH /api/admin/orders/{id}/address': rows(() => ({ body: { address: 'House 1, road 2, block 3' } })),
  'POST /api/admin/orders/{id}/notes': rows(() => ({ body: { text: 'Called, nobody at home' } })),
  'POST /api/admin/orders/{id}/confirmation': rows(),
  'GET /api/admin/orders/{id}/confirmation': rows(),
  'GET /api/admin/events': [{ name: 'the own scope', status: 200 }],
  'GET /api/admin/notifications': [{ name: 'the own', status: 200 }],
  'POST /api/admin/notifications/read': [
    { name: 'all', status: 200, send: () => ({ body: { upTo: 2_000_000_000 } }) },
    { name: 'somebody else’s, passed over', status: 200, send: () => ({ body: { ids: [2_000_000_000] } }) },
  ],
}
