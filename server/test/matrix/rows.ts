import { endpoints } from '@qatra/contract/api'
import type { TestShop } from '../app.ts'
import { itemOf, type Person, productOf, strangersOrder } from '../fixtures/identities.ts'
import { makeOrder, makeUser, tomorrow } from '../fixtures/make.ts'
import { botRows } from './bot.ts'
import { campaignRows } from './campaigns.ts'
import { driverRows } from './drivers.ts'
import { inboxRows } from './inbox.ts'
import { marketRows } from './market.ts'
import { messagingRows } from './messaging.ts'
import { orderDeskRows } from './orders.ts'
import { peopleRows } from './people.ts'
import { productAdminRows } from './products.ts'
import { pushRows } from './push.ts'
import { referenceRows } from './reference.ts'
import { everything, NO_ID, NO_ORDER, ofVendor, type Row, type Sent, unknown } from './row.ts'

const always = (status = 200, send?: Row['send']): Row[] => [{ ...everything('always'), status, ...(send && { send }) }]
const known = (params: Record<string, number>): Row[] => [
  { name: 'known', status: 200, send: () => ({ params }) },
  ...Object.keys(params).map((key) => unknown({ ...params, [key]: NO_ID })),
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
  unknown({ itemId: NO_ID }, body),
]

/** Orders of customers: only the owner has access, whatever the role. Staff have other endpoints. */
const order = (orderStatus: string, body?: unknown): Row[] => orderWith(orderStatus, () => body)
const orderWith = (orderStatus: string, bodyOf: (shop: TestShop) => unknown): Row[] => [
  {
    name: 'own',
    status: 200,
    send: async (shop, { userId }) => ({
      params: { id: await makeOrder(shop, { userId, vendorId: 1, status: orderStatus }) },
      body: await bodyOf(shop),
    }),
  },
  {
    name: 'foreign',
    status: 404,
    send: async (shop) => ({ params: { id: await strangersOrder(shop, orderStatus) }, body: await bodyOf(shop) }),
  },
  { ...unknown(), send: async (shop) => ({ params: { id: NO_ORDER }, body: await bodyOf(shop) }) },
]

const address = {
  customerName: 'Noura',
  address: 'Building 1172, Seef',
  mapCoordinates: { lat: 26.2371, lng: 50.5417 },
}
type RowOf = (shop: TestShop, userId: number | null) => Promise<number>
const inserted =
  (sql: string): RowOf =>
  async (shop, userId) => {
    const [row] = await shop.query<{ id: number }>(`${sql} returning id`, [userId])
    return row?.id ?? 0
  }
const addressOf = inserted(
  `insert into addresses (user_id, address, lat, lng) values ($1, 'Building 1172, Seef', 26.2371, 50.5417)`,
)
const collectionOf = inserted(
  `insert into visits (vendor_id, kind, day, customer_id, customer_name, phone, address, lat, lng)
   values (1, 'collect-bottles', current_date, $1, 'Ali', '+97336000006', 'Seef', 26.2, 50.5)`,
)
/** A record of the caller; those of other people are not found, whatever the role. */
const personal = (rowOf: RowOf, body?: unknown): Row[] => [
  {
    name: 'own',
    status: 200,
    send: async (shop, { userId }) => ({
      params: { id: userId === null ? NO_ID : await rowOf(shop, userId) },
      body,
    }),
  },
  {
    name: 'foreign',
    status: 404,
    send: async (shop) => ({ params: { id: await rowOf(shop, (await makeUser(shop)).id) }, body }),
  },
  unknown({ id: NO_ID }, body),
]
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
const rows: Readonly<Record<string, Row[]>> = {
  'GET /api/auth/me': always(),
  'POST /api/auth/verify/phone': always(200, async (shop) => ({ body: { phone: await aPhone(shop) } })),
  'POST /api/auth/verify/otp': always(422, async (shop) => ({ body: { phone: await aPhone(shop), code: '0000' } })),
  'POST /api/auth/logout': always(),
  'GET /api/auth/profile': always(),
  'PUT /api/auth/profile': always(200, () => ({ body: { name: 'Noura' } })),
  'GET /api/addresses': always(),
  'GET /api/bottles': always(),
  // Nobody here has bottles.
  'POST /api/bottles/collections': [
    { name: 'of a vendor without bottles', status: 404, send: () => ({ body: { vendorId: NO_ID } }) },
  ],
  'DELETE /api/bottles/collections/{id}': personal(collectionOf),
  'POST /api/addresses': always(200, () => ({
    body: { address: address.address, mapCoordinates: address.mapCoordinates },
  })),
  'PATCH /api/addresses/{id}': personal(addressOf, { label: 'Home' }),
  'DELETE /api/addresses/{id}': personal(addressOf),
  'GET /api/auth/export': always(),
  'GET /api/orders/rhythm': always(),
  // Accounts of staff are removed by the person who manages them.
  'DELETE /api/auth/account': [{ name: 'own', status: 403, but: { customer: 200 } }],
  'GET /api/auth/orders': always(),
  'GET /api/auth/orders/events': always(),
  'GET /api/magic-link/status/{token}': always(200, () => ({ params: { token: 'x'.repeat(43) } })),
  'POST /api/magic-link/verify/{token}': always(200, () => ({ params: { token: 'x'.repeat(43) } })),
  'GET /api/site': always(),
  'GET /api/vendors': always(),
  'GET /api/vendors/{id}': known({ id: 1 }),
  'GET /api/vendors/{id}/record': known({ id: 1 }),
  'GET /api/vendors/{vendorId}/delivers-to/{areaId}': known({ vendorId: 1, areaId: 1 }),
  'GET /api/delivery-date': always(),
  'GET /api/delivery-days': [
    { name: 'of a vendor', status: 200, send: () => ({ query: { vendorId: '1' } }) },
    { name: 'of an unknown vendor', status: 404, send: () => ({ query: { vendorId: '999999' } }) },
  ],
  'GET /api/products': always(),
  'GET /api/products/{id}': known({ id: 1 }),
  'GET /api/areas': always(),
  'GET /api/areas/coordinates': [
    { name: 'in Bahrain', status: 200, send: () => ({ query: { lat: '26.2378', lng: '50.5402' } }) },
    { name: 'at sea', status: 404, send: () => ({ query: { lat: '0', lng: '0' } }) },
  ],
  'GET /api/areas/{id}': known({ id: 1 }),
  'GET /api/delivery-area': always(),
  'PUT /api/delivery-area': [
    { name: 'known', status: 200, send: () => ({ body: { areaId: 1 } }) },
    { name: 'unknown', status: 404, send: () => ({ body: { areaId: NO_ID } }) },
  ],
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
  'POST /api/cart/swap': always(200, async (shop) => ({
    body: { items: [{ productId: await productOf(shop, 2), quantity: 1 }] },
  })),
  'POST /api/cart/restore': always(404),
  'POST /api/orders': [
    { name: 'a full cart', status: 200, send: fillCart },
    { name: 'an empty cart', status: 409, send: () => ({ body: address }) },
  ],
  'GET /api/orders/{id}': order('new'),
  'GET /api/orders/{id}/stops': order('shipped'),
  'GET /api/orders/{id}/bottles': order('delivered'),
  'POST /api/orders/{id}/cancel': order('new', {}),
  'PUT /api/orders/{id}/items': orderWith('new', async (shop) => ({
    items: [{ productId: await productOf(shop, 1), quantity: 50 }],
    version: 1,
  })),
  'PATCH /api/orders/{id}/address': order('new', { address: 'House 7, Road 8, Block 9' }),
  'POST /api/orders/{id}/reschedule': orderWith('new', () => ({ date: tomorrow() })),
  'PUT /api/orders/{id}/rating': orderWith('delivered', async (shop) => {
    await shop.query(`update orders set delivered_at = now() where status = 'delivered' and delivered_at is null`)
    return { water: 'fair' }
  }),
  'POST /api/orders/{id}/reorder': order('delivered'),
  'GET /api/receipts/{token}': [{ name: 'forged', status: 404, send: () => ({ params: { token: 'x'.repeat(90) } }) }],
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
  'GET /api/orders/{id}/receipt/link': order('delivered'),
  'GET /api/orders/{id}/delivery.ics': order('new'),
  'GET /api/sales/customers': [
    ofVendor(1, async (shop) => ({ query: { phone: await phoneOfCustomer(shop, 1) } })),
    {
      name: 'of no vendor',
      status: 404,
      but: { super_admin: 200 },
      send: async (shop) => ({ query: { phone: await aPhone(shop) } }),
    },
    { name: 'unknown', status: 404, send: () => ({ query: { phone: '+97338999999' } }) },
  ],
  'POST /api/sales/orders': [
    { name: 'of the first vendor', status: 200, but: { other_vendor_admin: 422, other_agent: 422 }, send: sale },
    {
      name: 'naming the second vendor',
      status: 403,
      but: { other_vendor_admin: 422, other_agent: 422, super_admin: 422 },
      send: async (shop) => ({ body: { ...((await sale(shop)).body as object), vendorId: 2 } }),
    },
    {
      name: 'beyond the areas, overridden',
      status: 200,
      but: { vendor_sales: 403, agent: 403, other_agent: 403, other_vendor_admin: 422 },
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
  ...orderDeskRows,
  ...driverRows,
  ...pushRows,
  ...productAdminRows,
  ...peopleRows,
  ...referenceRows,
  ...messagingRows,
  ...marketRows,
  ...inboxRows,
  ...botRows,
  ...campaignRows,
  'POST /api/analytics/initiate-checkout': always(204, () => ({ body: {} })),
  'GET /api/simulator/messages': always(),
  'GET /api/simulator/files/{id}': always(404, () => ({ params: { id: 'wamid.none' } })),
  'GET /api/simulator/telegram': always(200, () => ({ query: { phone: '+97336000001' } })),
  'POST /api/simulator/telegram': always(200, async (shop) => ({ body: { from: await aPhone(shop), text: 'hello' } })),
  'POST /api/simulator/telegram/topics/{id}': always(404, () => ({
    params: { id: NO_ID },
    body: { from: '+97336000001', act: 'close' },
  })),
  'POST /api/simulator/messages': always(200, async (shop) => ({ body: { from: await aPhone(shop), body: 'hello' } })),
}

const workbooks = endpoints.filter(({ isTable, path }) => isTable && path.endsWith('.xlsx'))

/** Rows of every endpoint; a missing one fails the test. A workbook is asked for as its table is. */
export const matrix: Readonly<Record<string, Row[]>> = {
  ...rows,
  ...Object.fromEntries(
    workbooks.map(({ path }) => [`GET ${path}`, rows[`GET ${path.replace('.xlsx', '.csv')}`] ?? []]),
  ),
}
