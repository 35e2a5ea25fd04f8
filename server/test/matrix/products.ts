import { makeBottleType, makeProduct } from '../fixtures/make.ts'
import { everything, NO_ID, ofEachVendor, ofVendor, type Row, unknown } from './row.ts'

let counter = 0
const productOf = (vendorId: number) => ({
  vendorId,
  name: `Matrix ${(counter += 1)}`,
  price: 1.5,
  size: '500ml',
  imageUrl: 'https://shop.example/a.jpg',
})

/** Products of both vendors, and an unknown one. */
const product = (body?: () => unknown): Row[] => [
  ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await makeProduct(shop, vendorId) }, body: body?.() })),
  unknown(undefined, body?.()),
]
const list = ofEachVendor((_, vendorId) => ({ query: { vendorId: String(vendorId) } }), { elsewhere: 403 })

export const productAdminRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/products': [everything(), ...list],
  'GET /api/admin/products.csv': list,
  'POST /api/admin/products': ofEachVendor((_, vendorId) => ({ body: productOf(vendorId) }), { elsewhere: 403 }),
  'GET /api/admin/products/{id}': product(),
  'PATCH /api/admin/products/{id}': [
    ...product(() => ({ price: 2 + (counter += 1) / 1000 })),
    ofVendor(1, async (shop) => ({ params: { id: await makeProduct(shop, 1) }, body: { vendorId: 2 } }), {
      name: 'moved to the second vendor',
      status: 403,
      but: { super_admin: 200 },
    }),
  ],
  'DELETE /api/admin/products/{id}': product(),
  'GET /api/admin/products/{id}/audit': product(),
  'POST /api/admin/products/bulk': [
    ...ofEachVendor((_, vendorId) => ({ body: { products: [productOf(vendorId)] } }), { elsewhere: 403 }),
    {
      name: 'dry run',
      status: 200,
      send: () => ({ query: { dryRun: 'true' }, body: { products: [productOf(2)] } }),
    },
  ],
  'GET /api/admin/bottle-types': [everything(), ...list],
  'POST /api/admin/bottle-types': ofEachVendor(
    (_, vendorId) => ({ body: { vendorId, name: `Bottle ${(counter += 1)}`, deposit: 2 } }),
    { elsewhere: 403 },
  ),
  'PATCH /api/admin/bottle-types/{id}': [
    ...ofEachVendor(async (shop, vendorId) => ({
      params: { id: await makeBottleType(shop, vendorId) },
      body: { deposit: 3 },
    })),
    unknown(undefined, { deposit: 3 }),
  ],
  'GET /api/admin/products/bulk': [everything()],
  'DELETE /api/admin/products/bulk/{importId}': [
    ...ofEachVendor(async (shop, vendorId) => {
      const [row] = await shop.query<{ id: number }>(
        `insert into product_imports (vendor_id, products) values ($1, '[]') returning id`,
        [vendorId],
      )
      return { params: { importId: row?.id ?? 0 } }
    }),
    { name: 'nothing', status: 404, send: () => ({ params: { importId: NO_ID } }) },
  ],
  'GET /api/admin/products/bulk/template.csv': [everything()],
  // Pictures are uploaded as a form; server/media tests that.
  'POST /api/admin/media/retry': [
    { name: 'an unused address', status: 404, send: () => ({ body: { url: 'https://shop.example/none.jpg' } }) },
  ],
  'POST /api/admin/media': [{ name: 'no form', status: 415, send: () => ({ body: {} }) }],
}
