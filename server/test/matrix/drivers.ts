import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { makeUser } from '../fixtures/make.ts'
import { everything, listOfSecond, NO_ID, ofEachVendor, ofVendor, type Row, unknown } from './row.ts'

let keys = 0
const newKey = () => `matrix-key-${(keys += 1)}`

/** Drivers of both vendors, the driver's own data, and an unknown driver. */
const ofDriver = (send: () => { body?: unknown } = () => ({})): Row[] => {
  const row = (vendor: 1 | 2, but: Row['but'] = {}) =>
    ofVendor(
      vendor,
      async (shop) => ({ params: { id: (await makeUser(shop, { role: 'driver', vendorId: vendor })).id }, ...send() }),
      { but },
    )
  return [
    row(1, { driver: 404 }),
    {
      name: 'own',
      status: 404,
      but: { driver: 200 },
      send: (_, { userId }) => ({ params: { id: userId ?? 0 }, ...send() }),
    },
    row(2),
    { ...unknown(), send: () => ({ params: { id: NO_ID }, ...send() }) },
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
  'POST /api/admin/drivers/{id}/cash': ofDriver(() => ({ body: { kind: 'counted', amount: 1, key: newKey() } })),
}
