import { addDays, bahrainDate } from '@qatra/contract/calendar'
import type { TestShop } from './app.ts'
import { makeArea, makeVendor } from './make.ts'
import type { Row } from './matrix-row.ts'

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

/** Rows for one vendor's record: the first vendor's, except for the other admin. */
const ofVendor = (body?: (shop: TestShop, vendorId: number) => Promise<unknown>): Row[] => [
  {
    name: 'the first',
    status: 200,
    but: { other_vendor_admin: 404 },
    send: async (shop) => ({ params: { id: 1 }, body: await body?.(shop, 1) }),
  },
  {
    name: 'the second',
    status: 404,
    but: { other_vendor_admin: 200, super_admin: 200 },
    send: async (shop) => ({ params: { id: 2 }, body: await body?.(shop, 2) }),
  },
  {
    name: 'unknown',
    status: 404,
    send: async (shop) => ({ params: { id: 2_000_000_000 }, body: await body?.(shop, 0) }),
  },
]

const closed = async (shop: TestShop, vendorId: number | null) => {
  made += 1
  const [row] = await shop.query<{ id: number }>(
    `insert into holidays (day, vendor_id, name, name_ar) values ($1, $2, 'x', 'x') returning id`,
    [addDays(bahrainDate(new Date()), 1000 + made), vendorId],
  )
  return { query: { id: String(row?.id) } }
}

/** Vendors, areas and the calendar. */
export const referenceRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/vendors': [{ name: 'all', status: 200 }],
  'POST /api/admin/vendors': [
    { name: 'a new one', status: 200, send: () => ({ body: { name: 'Naseem', contactNumber: '36001099' } }) },
  ],
  'GET /api/admin/vendors/{id}': ofVendor(),
  'PATCH /api/admin/vendors/{id}': [
    ...ofVendor(async () => ({ deliveryFee: 0.5 })),
    {
      name: 'switched on',
      status: 403,
      but: { other_vendor_admin: 404, super_admin: 200 },
      send: () => ({ params: { id: 1 }, body: { isActive: true } }),
    },
  ],
  'DELETE /api/admin/vendors/{id}': [
    { name: 'empty', status: 200, send: async (shop) => ({ params: { id: await makeVendor(shop) } }) },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 } }) },
  ],
  'GET /api/admin/vendors/{id}/areas': ofVendor(),
  'PUT /api/admin/vendors/{id}/areas': ofVendor(sameAreas),
  'GET /api/admin/areas': [{ name: 'all', status: 200 }],
  'POST /api/admin/areas': [{ name: 'a new one', status: 200, send: () => ({ body: somewhere() }) }],
  'PATCH /api/admin/areas/{id}': [
    {
      name: 'known',
      status: 200,
      send: async (shop) => ({ params: { id: (await makeArea(shop, [])).areaId }, body: {} }),
    },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 }, body: {} }) },
  ],
  'DELETE /api/admin/areas/{id}': [
    { name: 'known', status: 200, send: async (shop) => ({ params: { id: (await makeArea(shop, [])).areaId } }) },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 } }) },
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
  'GET /api/admin/calendar': [
    { name: 'all', status: 200 },
    {
      name: 'of the second vendor',
      status: 403,
      but: { other_vendor_admin: 200, super_admin: 200 },
      send: () => ({ query: { vendorId: '2' } }),
    },
  ],
  'POST /api/admin/calendar': [
    {
      name: 'of the second vendor',
      status: 403,
      but: { other_vendor_admin: 200, super_admin: 200 },
      send: () => {
        made += 1
        return { body: { day: addDays(bahrainDate(new Date()), 100 + made), vendorId: 2 } }
      },
    },
    {
      name: 'a public holiday',
      status: 403,
      but: { super_admin: 200 },
      send: () => {
        made += 1
        const day = addDays(bahrainDate(new Date()), 100 + made)
        return { body: { day, vendorId: null, name: 'Holiday', nameAr: 'عطلة' } }
      },
    },
  ],
  'DELETE /api/admin/calendar': [
    {
      name: 'of the first vendor',
      status: 200,
      but: { other_vendor_admin: 404 },
      send: (shop) => closed(shop, 1),
    },
    { name: 'everybody’s', status: 403, but: { super_admin: 200 }, send: (shop) => closed(shop, null) },
  ],
}
