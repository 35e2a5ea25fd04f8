import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import type { TestShop } from '../app.ts'
import { productOf } from '../fixtures/identities.ts'
import { makeUser } from '../fixtures/make.ts'
import { everything, listOfSecond, NO_ID, ofEachVendor, ofVendor, type Row, unknown } from './row.ts'

let keys = 0
const newKey = () => `matrix-key-${(keys += 1)}`

/** Drivers of both vendors, the driver's own data, and an unknown driver. */
type Send = (shop: TestShop, vendor: 1 | 2) => Promise<{ body?: unknown }> | { body?: unknown }
const ofDriver = (send: Send = () => ({})): Row[] => {
  const row = (vendor: 1 | 2, but: Row['but'] = {}) =>
    ofVendor(
      vendor,
      async (shop) => {
        const { id } = await makeUser(shop, { role: 'driver', vendorId: vendor })
        return { params: { id }, ...(await send(shop, vendor)) }
      },
      { but },
    )
  return [
    row(1, { driver: 404 }),
    {
      name: 'own',
      status: 404,
      but: { driver: 200 },
      send: async (shop, { userId }) => ({ params: { id: userId ?? 0 }, ...(await send(shop, 1)) }),
    },
    row(2),
    { ...unknown(), send: async (shop) => ({ params: { id: NO_ID }, ...(await send(shop, 1)) }) },
  ]
}

/** Days without orders, each closed once. */
let days = 0
const quietDay = () => addDays(bahrainDate(new Date()), -3000 - (days += 1))
const unknownVendor: Row = {
  name: 'of an unknown vendor',
  status: 403,
  but: { super_admin: 404 },
  send: () => ({
    params: { date: quietDay() },
    query: { vendorId: String(NO_ID).slice(0, 9) },
    body: { vendorId: NO_ID, reason: 'x' },
  }),
}
const closingOf = (send: (vendorId: number) => object): Row[] => [
  ...ofEachVendor((_, vendorId) => ({ params: { date: quietDay() }, ...send(vendorId) }), { elsewhere: 403 }),
  unknownVendor,
]

export const driverRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/drivers/stops': [{ name: 'all', status: 200, send: () => ({ query: { driverId: '1' } }) }],
  'GET /api/admin/drivers/day': [everything(), listOfSecond],
  'GET /api/admin/drivers/areas': [everything(), listOfSecond],
  'GET /api/admin/days/{date}/close': closingOf((vendorId) => ({ query: { vendorId: String(vendorId) } })),
  'GET /api/admin/days/{date}/close.csv': closingOf((vendorId) => ({ query: { vendorId: String(vendorId) } })),
  'POST /api/admin/days/{date}/close': closingOf((vendorId) => ({ body: { vendorId } })),
  'GET /api/admin/reports/corrections': [everything(), listOfSecond],
  'GET /api/admin/reports/corrections.csv': [everything(), listOfSecond],
  'GET /api/admin/reports/payments': [everything(), listOfSecond],
  'GET /api/admin/reports/payments.csv': [everything(), listOfSecond],
  'GET /api/admin/reports/vat': [everything(), listOfSecond],
  'GET /api/admin/reports/vat.csv': [everything(), listOfSecond],
  'DELETE /api/admin/days/{date}/close': [
    ...ofEachVendor(
      async (shop, vendorId) => {
        const date = quietDay()
        await shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, 1, now())', [
          vendorId,
          date,
        ])
        return { params: { date }, body: { vendorId, reason: 'A wrong count' } }
      },
      { elsewhere: 403 },
    ),
    unknownVendor,
  ],
  'GET /api/admin/drivers/{id}/run': ofDriver(),
  'PUT /api/admin/drivers/{id}/run': ofDriver(() => ({ body: { orderIds: [] } })),
  'GET /api/admin/drivers/{id}/cash': ofDriver(),
  'POST /api/admin/drivers/{id}/van': ofDriver(async (shop, vendor) => ({
    body: {
      date: quietDay(),
      kind: 'counted',
      productId: await productOf(shop, vendor),
      full: 0,
      empty: 0,
      reason: 'Counted in the yard',
      key: newKey(),
    },
  })),
  'POST /api/admin/drivers/{id}/cash': ofDriver(() => ({ body: { kind: 'counted', amount: 1, key: newKey() } })),
}
