import type { TestShop } from '../app.ts'
import { type Person, productOf } from '../fixtures/identities.ts'
import { makeOrder, makeUser, tomorrow } from '../fixtures/make.ts'
import { everything, listOfSecond, NO_ID, NO_ORDER, ofEachVendor, ofVendor, type Row, unknown } from './row.ts'

const orderAt = async (
  shop: TestShop,
  vendorId: number,
  more: { assignedDriverId?: number | null; placedBy?: number | null } = {},
) => makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, ...more })

type Send = (shop: TestShop) => { body?: unknown } | Promise<{ body?: unknown }>

/** Orders of both vendors and an unknown id. */
const rows = (send: Send = () => ({})): Row[] => {
  const row = (vendor: 1 | 2, make: (shop: TestShop, person: Person) => Promise<string>, more: Partial<Row>) =>
    ofVendor(
      vendor,
      async (shop, _, person) => ({ params: { id: await make(shop, person) }, ...(await send(shop)) }),
      more,
    )
  return [
    row(1, (shop) => orderAt(shop, 1), { name: 'of nobody', but: { driver: 404, vendor_sales: 404 } }),
    row(1, (shop, { userId }) => orderAt(shop, 1, { assignedDriverId: userId }), {
      name: 'of this driver',
      but: { vendor_sales: 404 },
    }),
    row(2, (shop) => orderAt(shop, 2), {}),
    { ...unknown(), send: async (shop) => ({ params: { id: NO_ORDER }, ...(await send(shop)) }) },
  ]
}
const soldBy = (make: (shop: TestShop, person: Person) => Promise<number> | number | null) =>
  ofVendor(1, async (shop, _, person) => ({
    params: { id: await orderAt(shop, 1, { placedBy: await make(shop, person) }) },
  }))

const list: Row[] = [everything(), listOfSecond]

/** A driver of the first vendor, who cannot be assigned an order of the second. */
const aDriver: Send = async (shop) => ({
  body: { driverId: (await makeUser(shop, { role: 'driver', vendorId: 1 })).id },
})

let names = 0
const newName = () => `View ${(names += 1)}`
async function viewOf(shop: TestShop, vendorId: number | null): Promise<number> {
  const [row] = await shop.query<{ id: number }>(
    `insert into order_views (vendor_id, name, search) values ($1, $2, '{}') returning id`,
    [vendorId, newName()],
  )
  return row?.id ?? NO_ID
}

export const orderDeskRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/orders': list,
  'GET /api/admin/orders/counts': list,
  'GET /api/admin/orders.csv': list,
  'GET /api/admin/orders/days': list.map((row) => ({
    ...row,
    send: async (...about) => {
      const sent = await row.send?.(...about)
      return { ...sent, query: { ...sent?.query, from: '2026-11-01', to: '2026-11-30' } }
    },
  })),
  'GET /api/admin/drivers': list,
  'GET /api/admin/dashboard': list,
  'GET /api/admin/orders/{id}': rows(),
  'GET /api/admin/orders/{id}/timeline': rows(),
  'PATCH /api/admin/orders/{id}/status': rows(() => ({ body: { status: 'shipped', notes: 'test' } })),
  'POST /api/admin/orders/{id}/attempts': rows(() => ({ body: { reason: 'absent' } })),
  'GET /api/admin/orders/{id}/receipt.pdf': [
    ...rows(),
    { ...soldBy((_, { userId }) => userId), name: 'sold by the person', but: { driver: 404 } },
  ],
  // The orders are on their way.
  'POST /api/admin/orders/{id}/receipt/message': rows().map((row) =>
    row.status === 200 ? { ...row, status: 409 } : row,
  ),
  'GET /api/sales/orders/{id}': [
    { ...soldBy((_, { userId }) => userId), name: 'own' },
    {
      ...soldBy(async (shop) => (await makeUser(shop)).id),
      name: 'of a colleague',
      but: { vendor_sales: 404, agent: 404 },
    },
    {
      name: 'placed in the shop',
      status: 404,
      send: async (shop) => ({ params: { id: await orderAt(shop, 1) } }),
    },
    unknown({ id: NO_ORDER }),
  ],
  'POST /api/admin/orders/bulk': [
    {
      name: 'of both vendors, each for itself',
      status: 200,
      send: async (shop) => ({ body: { ids: [await orderAt(shop, 1), await orderAt(shop, 2)], status: 'shipped' } }),
    },
  ],
  'PATCH /api/admin/orders/{id}/payment': rows(() => ({ body: { paymentStatus: 'paid' } })),
  'GET /api/admin/orders/{id}/payments': rows(),
  'POST /api/admin/orders/{id}/payments': rows(() => ({
    body: { means: 'cash', amount: 0.15, key: crypto.randomUUID() },
  })),
  // No driver works for two vendors.
  'PUT /api/admin/orders/{id}/driver': rows(aDriver).map((row) => (row.vendor === 2 ? { ...row, status: 422 } : row)),
  'DELETE /api/admin/orders/{id}/driver': rows(),
  'PATCH /api/admin/orders/{id}/address': rows(() => ({ body: { address: 'House 1, road 2, block 3' } })),
  'PATCH /api/admin/orders/{id}/buyer': rows(() => ({ body: { poNumber: 'PO-1' } })),
  'PUT /api/admin/orders/{id}/items': rows(async (shop) => ({
    body: { items: [{ productId: await productOf(shop, 1), quantity: 50 }], version: 1 },
  })).map((row) => (row.vendor === 2 ? { ...row, status: 422 } : row)),
  // The orders' own day, which is always accepted.
  'PATCH /api/admin/orders/{id}/promise': rows(() => ({ body: { date: tomorrow() } })),
  'POST /api/admin/orders/{id}/notes': rows(() => ({ body: { text: 'Called, nobody at home' } })),
  'POST /api/admin/orders/{id}/confirmation': rows(),
  'GET /api/admin/orders/{id}/confirmation': rows(),
  'GET /api/admin/search': [{ name: 'all', status: 200, send: () => ({ query: { q: 'noura' } }) }],
  'GET /api/admin/orders/views': [everything('own')],
  'POST /api/admin/orders/views': [
    {
      name: 'own',
      status: 200,
      send: async (shop) => {
        // Each vendor has a limit.
        await shop.query('delete from order_views')
        return { body: { name: newName(), search: { status: ['new'] } } }
      },
    },
  ],
  'DELETE /api/admin/orders/views/{id}': [
    ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await viewOf(shop, vendorId) } }), {
      but: { super_admin: 404 },
    }),
    {
      name: 'of the market',
      status: 404,
      but: { super_admin: 200 },
      send: async (shop) => ({ params: { id: await viewOf(shop, null) } }),
    },
    unknown(),
  ],
  'GET /api/admin/events': [everything('own')],
  'GET /api/admin/notifications': [everything('own')],
  'POST /api/admin/notifications/read': [
    { name: 'all', status: 200, send: () => ({ body: { upTo: NO_ID } }) },
    { name: 'of others, ignored', status: 200, send: () => ({ body: { ids: [NO_ID] } }) },
  ],
}
