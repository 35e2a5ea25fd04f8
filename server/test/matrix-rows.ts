import type { TestShop } from './app.ts'
import { itemOf, type Person, productOf, strangersOrder } from './identities.ts'
import { makeOrder, makeUser } from './make.ts'
import { campaignRows } from './matrix-campaigns.ts'
import { driverRows } from './matrix-drivers.ts'
import { inboxRows } from './matrix-inbox.ts'
import { marketRows } from './matrix-market.ts'
import { messagingRows } from './matrix-messaging.ts'
import { orderDeskRows } from './matrix-orders.ts'
import { peopleRows } from './matrix-people.ts'
import { productAdminRows } from './matrix-products.ts'
import { referenceRows } from './matrix-reference.ts'
import type { Row, Sent } from './matrix-row.ts'

const always = (status = 200, send?: Row['send']): Row[] => [{ name: 'always', status, ...(send ? { send } : {}) }]
const known = (params: Record<string, number>): Row[] => [
  { name: 'known', status: 200, send: () => ({ params }) },
  ...Object.keys(params).map((key) => ({
    name: `unknown ${key}`,
    status: 404,
    send: () => ({ params: { ...params, [key]: 2_000_000_000 } }),
  })),
]

const item = (body?: unknown): Row[] => [
  {
    name: 'own',
    status: 200,
    send: async (shop, person) => ({ params: { itemId: await itemOf(shop, person) }, body }),
  },
  {
    name: 'foreign',
    status: 404,
    send: async (shop) => ({ params: { itemId: await itemOf(shop, shop.visitor()) }, body }),
  },
  { name: 'unknown', status: 404, send: () => ({ params: { itemId: 2_000_000_000 }, body }) },
]

/** Orders of customers: only the owner has access, whatever the role. Staff have other endpoints. */
const order = (orderStatus: string, body?: unknown): Row[] => [
  {
    name: 'own',
    status: 200,
    send: async (shop, { userId }) => ({
      params: { id: await makeOrder(shop, { userId, vendorId: 1, status: orderStatus }) },
      body,
    }),
  },
  {
    name: 'foreign',
    status: 404,
    send: async (shop) => ({ params: { id: await strangersOrder(shop, orderStatus) }, body }),
  },
  { name: 'unknown', status: 404, send: () => ({ params: { id: 'AAAA2222BBBB3333' }, body }) },
]

const managed = (
  name: string,
  make: (shop: TestShop, person: Person) => Promise<string>,
  expected: Pick<Row, 'status' | 'but'>,
): Row => ({
  name,
  ...expected,
  send: async (shop, person) => ({
    params: { id: await make(shop, person) },
    body: { status: 'shipped', notes: 'test' },
  }),
})
const orderAt = async (shop: TestShop, vendorId: number, assignedDriverId: number | null = null) =>
  makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, assignedDriverId })

const address = {
  customerName: 'Noura',
  address: 'Building 1172, Seef',
  mapCoordinates: { lat: 26.2371, lng: 50.5417 },
}
const aPhone = (shop: TestShop) => makeUser(shop).then(({ phone }) => phone)

async function phoneOfCustomer(shop: TestShop, vendorId: number) {
  const { id, phone } = await makeUser(shop)
  await makeOrder(shop, { userId: id, vendorId })
  return phone
}

async function fillCart(shop: TestShop, person: Person): Promise<Sent> {
  const productId = await productOf(shop, 1)
  await person.send('POST', '/api/cart/add', { body: { productId, quantity: 20 } })
  return { body: address }
}

/** A phone order of the first vendor's water. */
async function sale(shop: TestShop): Promise<Sent> {
  const items = [{ productId: await productOf(shop, 1), quantity: 2 }]
  return { body: { ...address, phone: await aPhone(shop), items } }
}
const soldAt = async (shop: TestShop, vendorId: number, placedBy: number | null) =>
  makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, placedBy })

/** Rows of every endpoint; a missing one fails the test. */
export const matrix: Readonly<Record<string, Row[]>> = {
  'GET /api/auth/me': always(),
  'POST /api/auth/verify/phone': always(200, async (shop) => ({ body: { phone: await aPhone(shop) } })),
  'POST /api/auth/verify/otp': always(422, async (shop) => ({ body: { phone: await aPhone(shop), code: '0000' } })),
  'POST /api/auth/logout': always(),
  'GET /api/auth/profile': always(),
  'PUT /api/auth/profile': always(200, () => ({ body: { name: 'Noura' } })),
  'GET /api/auth/export': always(),
  // Accounts of staff are removed by the person who manages them.
  'DELETE /api/auth/account': [{ name: 'own', status: 403, but: { customer: 200 } }],
  'GET /api/auth/orders': always(),
  'GET /api/magic-link/status/{token}': always(200, () => ({ params: { token: 'x'.repeat(43) } })),
  'POST /api/magic-link/verify/{token}': always(200, () => ({ params: { token: 'x'.repeat(43) } })),
  'GET /api/site': always(),
  'GET /api/vendors': always(),
  'GET /api/vendors/{id}': known({ id: 1 }),
  'GET /api/vendors/{vendorId}/delivers-to/{areaId}': known({ vendorId: 1, areaId: 1 }),
  'GET /api/delivery-date': always(),
  'GET /api/products': always(),
  'GET /api/products/{id}': known({ id: 1 }),
  'GET /api/areas': always(),
  'GET /api/areas/coordinates': [
    { name: 'in Bahrain', status: 200, send: () => ({ query: { lat: '26.2378', lng: '50.5402' } }) },
    { name: 'at sea', status: 404, send: () => ({ query: { lat: '0', lng: '0' } }) },
  ],
  'GET /api/areas/{id}': known({ id: 1 }),
  'GET /api/geocode/search': always(200, () => ({ query: { q: 'Seef' } })),
  'GET /api/geocode/reverse': always(200, () => ({ query: { lat: '26.2378', lng: '50.5402' } })),
  'GET /api/cart': always(),
  'POST /api/cart/add': always(200, async (shop) => ({ body: { productId: await productOf(shop, 1), quantity: 1 } })),
  'PATCH /api/cart/update/{itemId}': item({ quantity: 2 }),
  'DELETE /api/cart/remove/{itemId}': item(),
  'DELETE /api/cart': always(),
  'POST /api/cart/switch': always(200, async (shop) => ({
    body: { productId: await productOf(shop, 2), quantity: 1 },
  })),
  'POST /api/cart/restore': always(404),
  'POST /api/orders': [
    { name: 'a full cart', status: 200, send: fillCart },
    { name: 'an empty cart', status: 409, send: () => ({ body: address }) },
  ],
  'GET /api/orders/{id}': order('new'),
  'POST /api/orders/{id}/cancel': order('new', {}),
  'POST /api/orders/{id}/reorder': order('delivered'),
  'PATCH /api/admin/orders/{id}/status': [
    managed('of the first vendor, nobody’s', (shop) => orderAt(shop, 1), {
      status: 200,
      but: { other_vendor_admin: 404, driver: 404 },
    }),
    managed('of the first vendor, this driver’s', (shop, { userId }) => orderAt(shop, 1, userId), {
      status: 200,
      but: { other_vendor_admin: 404 },
    }),
    managed('of the second vendor', (shop) => orderAt(shop, 2), {
      status: 404,
      but: { other_vendor_admin: 200, super_admin: 200 },
    }),
    managed('unknown', async () => 'AAAA2222BBBB3333', { status: 404 }),
  ],
  'GET /api/orders/{id}/receipt.pdf': [
    ...order('delivered'),
    {
      name: 'own, on its way',
      status: 409,
      send: async (shop, { userId }) => ({
        params: { id: await makeOrder(shop, { userId, vendorId: 1, status: 'shipped' }) },
      }),
    },
  ],
  'GET /api/admin/orders/{id}/receipt.pdf': [
    {
      name: 'of the first vendor, nobody’s',
      status: 200,
      but: { other_vendor_admin: 404, driver: 404, vendor_sales: 404 },
      send: async (shop) => ({ params: { id: await orderAt(shop, 1) } }),
    },
    {
      name: 'of the first vendor, this driver’s',
      status: 200,
      but: { other_vendor_admin: 404, vendor_sales: 404 },
      send: async (shop, { userId }) => ({ params: { id: await orderAt(shop, 1, userId) } }),
    },
    {
      name: 'of the first vendor, placed by the person',
      status: 200,
      but: { other_vendor_admin: 404, driver: 404 },
      send: async (shop, { userId }) => ({ params: { id: await soldAt(shop, 1, userId) } }),
    },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 'AAAA2222BBBB3333' } }) },
  ],
  'GET /api/sales/customers': [
    {
      name: 'customer of the first vendor',
      status: 200,
      but: { other_vendor_admin: 404 },
      send: async (shop) => ({ query: { phone: await phoneOfCustomer(shop, 1) } }),
    },
    {
      name: 'nobody’s customer',
      status: 404,
      but: { super_admin: 200 },
      send: async (shop) => ({ query: { phone: await aPhone(shop) } }),
    },
    { name: 'unknown', status: 404, send: () => ({ query: { phone: '+97338999999' } }) },
  ],
  'POST /api/sales/orders': [
    { name: 'of the first vendor', status: 200, but: { other_vendor_admin: 422 }, send: sale },
    {
      name: 'naming the second vendor',
      status: 403,
      but: { other_vendor_admin: 422, super_admin: 422 },
      send: async (shop) => ({ body: { ...((await sale(shop)).body as object), vendorId: 2 } }),
    },
    {
      name: 'beyond the areas, overridden',
      status: 200,
      but: { vendor_sales: 403, other_vendor_admin: 422 },
      send: async (shop) => ({
        body: {
          ...((await sale(shop)).body as object),
          mapCoordinates: { lat: 25.9, lng: 50.9 },
          ignoreCoverage: true,
          reason: 'A boat waits at the pier',
        },
      }),
    },
  ],
  'GET /api/sales/price-floors': always(),
  'GET /api/sales/orders': always(),
  'GET /api/sales/days': always(),
  'GET /api/sales/orders/{id}': [
    {
      name: 'own',
      status: 200,
      but: { other_vendor_admin: 404 },
      send: async (shop, { userId }) => ({ params: { id: await soldAt(shop, 1, userId) } }),
    },
    {
      name: 'a colleague’s',
      status: 200,
      but: { vendor_sales: 404, other_vendor_admin: 404 },
      send: async (shop) => ({ params: { id: await soldAt(shop, 1, (await makeUser(shop)).id) } }),
    },
    {
      name: 'placed in the shop',
      status: 404,
      send: async (shop) => ({ params: { id: await soldAt(shop, 1, null) } }),
    },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 'AAAA2222BBBB3333' } }) },
  ],
  ...orderDeskRows,
  ...driverRows,
  ...productAdminRows,
  ...peopleRows,
  ...referenceRows,
  ...messagingRows,
  ...marketRows,
  ...inboxRows,
  ...campaignRows,
  'POST /api/analytics/initiate-checkout': always(204, () => ({ body: {} })),
  'GET /api/simulator/messages': always(),
  'GET /api/simulator/telegram': always(200, () => ({ query: { phone: '+97336000001' } })),
  'POST /api/simulator/telegram': always(200, async (shop) => ({ body: { from: await aPhone(shop), text: 'hello' } })),
  'POST /api/simulator/telegram/topics/{id}': always(404, () => ({
    params: { id: 2_000_000_000 },
    body: { from: '+97336000001', act: 'close' },
  })),
  'POST /api/simulator/messages': always(200, async (shop) => ({ body: { from: await aPhone(shop), body: 'hello' } })),
}
