import type { TestShop } from './app.ts'
import { makeProduct } from './make.ts'
import type { Row } from './matrix-row.ts'

let counter = 0
const productOf = (vendorId: number) => ({
  ...{ vendorId, name: `Matrix ${(counter += 1)}`, price: 1.5, size: '500ml' },
  imageUrl: 'https://shop.example/a.jpg',
})

/** A product of the first vendor, one of the second, and an unknown id. */
const product = (body?: () => unknown): Row[] => {
  const of = (vendorId: number) => async (shop: TestShop) => ({
    params: { id: await makeProduct(shop, vendorId) },
    body: body?.(),
  })
  return [
    { name: 'of the first vendor', status: 200, but: { other_vendor_admin: 404 }, send: of(1) },
    { name: 'of the second', status: 404, but: { other_vendor_admin: 200, super_admin: 200 }, send: of(2) },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 }, body: body?.() }) },
  ]
}
const ofVendor = (make: (vendorId: number) => { body?: unknown; query?: Record<string, string> }): Row[] => [
  { name: 'for the first vendor', status: 200, but: { other_vendor_admin: 403 }, send: () => make(1) },
  { name: 'for the second', status: 403, but: { other_vendor_admin: 200, super_admin: 200 }, send: () => make(2) },
]

export const productAdminRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/products': [
    { name: 'all in reach', status: 200 },
    ...ofVendor((vendorId) => ({ query: { vendorId: String(vendorId) } })),
  ],
  'GET /api/admin/products.csv': ofVendor((vendorId) => ({ query: { vendorId: String(vendorId) } })),
  'POST /api/admin/products': ofVendor((vendorId) => ({ body: productOf(vendorId) })),
  'GET /api/admin/products/{id}': product(),
  'PATCH /api/admin/products/{id}': [
    ...product(() => ({ price: 2 + (counter += 1) / 1000 })),
    {
      name: 'moved to the second vendor',
      status: 403,
      but: { other_vendor_admin: 404, super_admin: 200 },
      send: async (shop) => ({ params: { id: await makeProduct(shop, 1) }, body: { vendorId: 2 } }),
    },
  ],
  'DELETE /api/admin/products/{id}': product(),
  'GET /api/admin/products/{id}/audit': product(),
  'POST /api/admin/products/bulk': [
    ...ofVendor((vendorId) => ({ body: { products: [productOf(vendorId)] } })),
    {
      name: 'tried only',
      status: 200,
      send: () => ({ query: { dryRun: 'true' }, body: { products: [productOf(2)] } }),
    },
  ],
  'GET /api/admin/products/bulk/template.csv': [{ name: 'always', status: 200 }],
  // Pictures are uploaded as a form; server/media tests that.
  'POST /api/admin/media/retry': [
    { name: 'an unused address', status: 404, send: () => ({ body: { url: 'https://shop.example/none.jpg' } }) },
  ],
  'POST /api/admin/media': [{ name: 'no form', status: 415, send: () => ({ body: {} }) }],
}
