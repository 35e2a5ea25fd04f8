import { addDays } from '@qatra/contract/calendar/calendar'
import type { TestShop } from '../app.ts'
import { makeArea, makeBlock, makeVendor } from '../fixtures/make.ts'
import { everything, listOfSecond, NO_ID, ofEachVendor, ofVendor, type Row, unknown } from './row.ts'

let made = 0
/** A unique square in the ocean. */
function somewhere() {
  made += 1
  const [west, south] = [-170 + made / 10, -40]
  const corners = [
    [west, south],
    [west + 0.01, south],
    [west + 0.01, south + 0.01],
    [west, south],
  ]
  return { name: `Somewhere ${made}`, geometry: { type: 'Polygon', coordinates: [corners] } }
}

/** The vendor's present areas, since other rows of the table order there. */
async function sameAreas(shop: TestShop, vendorId: number) {
  const rows = await shop.query<{ id: number }>(
    'select area_id as id from vendor_delivery_areas where vendor_id = $1 order by 1 limit 100',
    [vendorId],
  )
  return { areaIds: rows.length > 0 ? rows.map(({ id }) => id) : [1] }
}

/** Records of both vendors. */
const vendor = (body?: (shop: TestShop, vendorId: number) => Promise<unknown>): Row[] => [
  ...ofEachVendor(async (shop, id) => ({ params: { id }, body: await body?.(shop, id) })),
  { ...unknown(), send: async (shop) => ({ params: { id: NO_ID }, body: await body?.(shop, 0) }) },
]

/** A day after the last seeded holiday. */
const newDay = () => addDays('2029-01-01', (made += 1))
const closed = async (shop: TestShop, vendorId: number | null) => {
  const [row] = await shop.query<{ id: number }>(
    `insert into holidays (day, vendor_id, name, name_ar) values ($1, $2, 'x', 'x') returning id`,
    [newDay(), vendorId],
  )
  return { query: { id: String(row?.id) } }
}

/** Vendors, areas and the calendar. */
export const referenceRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/vendors': [everything()],
  'POST /api/admin/vendors': [
    { name: 'a new one', status: 200, send: () => ({ body: { name: 'Naseem', contactNumber: '36001099' } }) },
  ],
  'GET /api/admin/vendors/{id}': vendor(),
  'PATCH /api/admin/vendors/{id}': [
    ...vendor(async () => ({ deliveryFee: 0.5 })),
    ofVendor(1, () => ({ params: { id: 1 }, body: { isActive: true } }), {
      name: 'switched on',
      status: 403,
      but: { super_admin: 200 },
    }),
  ],
  'DELETE /api/admin/vendors/{id}': [
    { name: 'empty', status: 200, send: async (shop) => ({ params: { id: await makeVendor(shop) } }) },
    unknown(),
  ],
  'GET /api/admin/vendors/{id}/areas': vendor(),
  'PUT /api/admin/vendors/{id}/areas': vendor(sameAreas),
  'GET /api/admin/vendors/{id}/business': vendor(),
  'PUT /api/admin/vendors/{id}/business': vendor(async () => ({ means: ['cash', 'benefitpay'] })),
  'GET /api/admin/areas': [everything()],
  'POST /api/admin/areas': [{ name: 'a new one', status: 200, send: () => ({ body: somewhere() }) }],
  'PATCH /api/admin/areas/{id}': [
    {
      name: 'known',
      status: 200,
      send: async (shop) => ({ params: { id: (await makeArea(shop, [])).areaId }, body: {} }),
    },
    unknown(undefined, {}),
  ],
  'DELETE /api/admin/areas/{id}': [
    { name: 'known', status: 200, send: async (shop) => ({ params: { id: (await makeArea(shop, [])).areaId } }) },
    unknown(),
  ],
  'POST /api/admin/areas/import': [
    {
      name: 'one',
      status: 200,
      send: () => {
        const { name, geometry } = somewhere()
        return { body: { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { name }, geometry }] } }
      },
    },
  ],
  'GET /api/admin/blocks': [everything()],
  'POST /api/admin/blocks/import': [
    {
      name: 'one',
      status: 200,
      send: () => {
        const { geometry } = somewhere()
        const feature = { type: 'Feature', properties: { number: 100 + made }, geometry }
        return {
          body: { type: 'FeatureCollection', features: [feature], source: 'Land survey', date: '2026-01-31' },
        }
      },
    },
  ],
  'DELETE /api/admin/blocks': [{ name: 'all', status: 200, send: () => ({}) }],
  'DELETE /api/admin/blocks/{id}': [
    { name: 'known', status: 200, send: async (shop) => ({ params: { id: await makeBlock(shop) } }) },
    unknown(),
  ],
  'GET /api/admin/calendar': [everything(), listOfSecond],
  'POST /api/admin/calendar': [
    ofVendor(2, () => ({ body: { day: newDay(), vendorId: 2 } }), { elsewhere: 403 }),
    {
      name: 'a public holiday',
      status: 403,
      but: { super_admin: 200 },
      send: () => ({ body: { day: newDay(), vendorId: null, name: 'Holiday', nameAr: 'عطلة' } }),
    },
  ],
  'DELETE /api/admin/calendar': [
    ofVendor(1, (shop) => closed(shop, 1)),
    { name: 'of everybody', status: 403, but: { super_admin: 200 }, send: (shop) => closed(shop, null) },
  ],
}
