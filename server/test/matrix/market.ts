import type { TestShop } from '../app.ts'
import { makeKey, makeOrder, makeUser } from '../fixtures/make.ts'
import { everything, listOfSecond, NO_ID, NO_ORDER, ofEachVendor, type Row, type Sent, unknown } from './row.ts'

/** A valid link of an existing customer. */
async function linkOf(shop: TestShop): Promise<number> {
  const { phone } = await makeUser(shop)
  const [link] = await shop.query<{ id: number }>(
    `insert into magic_links (phone, token, expires_at) values ($1, gen_random_uuid()::text, now() + interval '1 hour') returning id`,
    [phone],
  )
  return link?.id ?? 0
}

const linkRows: Row[] = [
  { name: 'for a customer', status: 200, send: async (shop) => ({ body: { phone: (await makeUser(shop)).phone } }) },
  {
    name: 'for staff',
    status: 422,
    send: async (shop) => ({ body: { phone: (await makeUser(shop, { role: 'driver', vendorId: 1 })).phone } }),
  },
]
const revocation: Row[] = [
  { name: 'a live one', status: 200, send: async (shop) => ({ params: { id: await linkOf(shop) } }) },
  unknown(),
]

/** A permanently failed job. */
async function failedJobs(shop: TestShop, count = 1): Promise<string[]> {
  const rows = await shop.query<{ id: string }>(
    `insert into pgboss.job (name, state, output, completed_on)
     select 'old-rows', 'failed', '{"message":"No way"}', now() from generate_series(1, $1)
     returning id`,
    [count],
  )
  return rows.map(({ id }) => id)
}
const acting: Row[] = [
  {
    name: 'one',
    status: 200,
    send: async (shop) => ({ body: { queue: 'old-rows', ids: await failedJobs(shop) } }),
  },
  { name: 'in no queue', status: 404, send: () => ({ body: { queue: 'nowhere' } }) },
]

async function hookOf(shop: TestShop, vendorId: number): Promise<number> {
  const [row] = await shop.query<{ id: number }>(
    `insert into webhook_endpoints (vendor_id, url, events, secret, is_enabled)
     values ($1, 'https://erp.example/hook', '{order.placed}', 'x', false) returning id`,
    [vendorId],
  )
  return row?.id ?? 0
}
const hook = (body?: unknown): Row[] => [
  ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await hookOf(shop, vendorId) }, body })),
  unknown(undefined, body),
]

/** There is one test order at a time, and an existing one is returned. */
const withoutTestOrder = (sent: Sent) => async (shop: TestShop) => {
  await shop.query('select delete_test_orders()')
  return sent
}

/** Endpoints for the market's own staff. */
export const marketRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/keys': [everything(), listOfSecond],
  'POST /api/admin/keys': ofEachVendor(
    (_, vendorId) => ({
      body: { name: 'Accounting', vendorId, permissions: ['orders.read'], expiresInDays: 30 },
    }),
    { elsewhere: 403 },
  ),
  'GET /api/admin/webhook-endpoints': [everything(), listOfSecond],
  'POST /api/admin/webhook-endpoints': ofEachVendor(
    async (shop, vendorId) => {
      await shop.query('delete from webhook_endpoints where vendor_id = $1', [vendorId])
      return { body: { url: 'https://erp.example/hook', vendorId, events: ['order.placed'] } }
    },
    { elsewhere: 403 },
  ),
  'PATCH /api/admin/webhook-endpoints/{id}': hook({ isEnabled: false }),
  'DELETE /api/admin/webhook-endpoints/{id}': hook(),
  'POST /api/admin/webhook-endpoints/{id}/ping': hook(),
  'GET /api/admin/webhook-endpoints/{id}/deliveries': hook(),
  'POST /api/admin/webhook-deliveries/{id}/resend': [
    ...ofEachVendor(async (shop, vendorId) => {
      const [row] = await shop.query<{ id: number }>(
        `insert into webhook_deliveries (endpoint_id, subject, type, data, status) values ($1, 'x', 'ping', '{}', 'failed')
         returning id`,
        [await hookOf(shop, vendorId)],
      )
      return { params: { id: row?.id ?? 0 } }
    }),
    unknown(),
  ],
  'DELETE /api/admin/keys/{id}': [
    ...ofEachVendor(async (shop, vendorId) => ({
      params: { id: (await makeKey(shop, (await makeUser(shop, { role: 'vendor_admin', vendorId })).id, vendorId)).id },
    })),
    unknown(),
  ],
  'GET /api/admin/magic-links': [everything()],
  'POST /api/admin/magic-links': linkRows,
  'POST /api/admin/magic-link/generate': linkRows,
  'POST /api/admin/magic-links/{id}/revoke': revocation,
  'DELETE /api/admin/magic-links/{id}': revocation,
  'GET /api/admin/jobs': [everything()],
  'GET /api/admin/jobs/failed': [everything()],
  'POST /api/admin/jobs/retry': acting,
  'POST /api/admin/jobs/discard': acting,
  'GET /api/admin/settings': [everything()],
  'PUT /api/admin/settings': [
    {
      name: 'the demo shop’s',
      status: 200,
      send: () => ({ body: { company: {}, support: {}, social: {}, apps: {} } }),
    },
  ],
  'GET /api/admin/setup': [everything()],
  'GET /api/admin/setup/areas': [everything()],
  'POST /api/admin/setup/areas': [everything()],
  'POST /api/admin/setup/test-order': [
    { name: 'of a vendor', status: 200, send: withoutTestOrder({ body: { vendorId: 1 } }) },
    { name: 'of no vendor', status: 404, send: withoutTestOrder({ body: { vendorId: NO_ID } }) },
  ],
  'DELETE /api/admin/setup/test-order': [{ ...everything(), send: withoutTestOrder({}) }],
  'GET /api/admin/legacy/summary': [everything()],
  'GET /api/admin/legacy': [everything()],
  // Nothing is configured in tests.
  'POST /api/admin/legacy/retry': [{ name: 'failed', status: 409, send: () => ({ body: { scope: 'failed' } }) }],
  'POST /api/admin/legacy/{id}/retry': [
    {
      name: 'known',
      status: 409,
      send: async (shop) => ({
        params: { id: await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 }) },
      }),
    },
    unknown({ id: NO_ORDER }),
  ],
}
