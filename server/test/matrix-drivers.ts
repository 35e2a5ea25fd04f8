import { makeUser } from './make.ts'
import { everything, listOfSecond, NO_ID, ofVendor, type Row, unknown } from './matrix-row.ts'

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

export const driverRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/drivers/day': [everything(), listOfSecond],
  'GET /api/admin/drivers/{id}/run': ofDriver(),
  'PUT /api/admin/drivers/{id}/run': ofDriver(() => ({ body: { orderIds: [] } })),
  'GET /api/admin/drivers/{id}/cash': ofDriver(),
  'POST /api/admin/drivers/{id}/cash': ofDriver(() => ({ body: { kind: 'counted', amount: 1, key: newKey() } })),
}
