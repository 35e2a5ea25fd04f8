import type { Role } from '@qatra/contract/roles'
import type { TestShop } from './app.ts'
import { makeOrder, makeUser } from './make.ts'
import type { Row, Sent } from './matrix-row.ts'

let phones = 0
const newPhone = () => `+97337${String(100_000 + (phones += 1))}`

type Body = (vendorId: number) => unknown

/** Staff of the first and of the second vendor, a customer, and an unknown id. */
const person = (body?: Body): Row[] => {
  const of = (role: Role, vendorId: number) => async (shop: TestShop) => ({
    params: { id: (await makeUser(shop, role === 'customer' ? {} : { role, vendorId })).id },
    body: body?.(vendorId),
  })
  return [
    { name: 'of the first vendor', status: 200, but: { other_vendor_admin: 404 }, send: of('driver', 1) },
    {
      name: 'of the second',
      status: 404,
      but: { other_vendor_admin: 200, super_admin: 200 },
      send: of('vendor_sales', 2),
    },
    { name: 'a customer', status: 404, but: { super_admin: 200 }, send: of('customer', 1) },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 }, body: body?.(1) }) },
  ]
}

const ofVendor = (make: (vendorId: number) => Sent): Row[] => [
  { name: 'for the first vendor', status: 200, but: { other_vendor_admin: 403 }, send: () => make(1) },
  { name: 'for the second', status: 403, but: { other_vendor_admin: 200, super_admin: 200 }, send: () => make(2) },
]
const list: Row[] = [
  { name: 'all in reach', status: 200 },
  ...ofVendor((vendorId) => ({ query: { vendorId: String(vendorId) } })),
]

async function customerOf(shop: TestShop, vendorId: number) {
  const { id } = await makeUser(shop)
  await makeOrder(shop, { userId: id, vendorId })
  return id
}
const customer = (body?: unknown): Row[] => {
  const of = (vendorId: number) => async (shop: TestShop) => ({
    params: { id: await customerOf(shop, vendorId) },
    body,
  })
  return [
    { name: 'of the first vendor', status: 200, but: { other_vendor_admin: 404 }, send: of(1) },
    { name: 'of the second', status: 404, but: { other_vendor_admin: 200, super_admin: 200 }, send: of(2) },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 }, body }) },
  ]
}

/** A note of this vendor about a customer of both vendors. */
const noteOf = (vendorId: number) => async (shop: TestShop) => {
  const id = await customerOf(shop, 1)
  await makeOrder(shop, { userId: id, vendorId: 2 })
  const [note] = await shop.query<{ id: number }>(
    `insert into customer_notes (user_id, vendor_id, body) values ($1, $2, 'a note') returning id`,
    [id, vendorId],
  )
  return { params: { id, noteId: note?.id ?? 0 } }
}

async function invitationOf(shop: TestShop, vendorId: number, phone = newPhone()): Promise<number> {
  const { id: invitedBy } = await makeUser(shop, { role: 'vendor_admin', vendorId })
  const [row] = await shop.query<{ id: number }>(
    `insert into staff_invitations (vendor_id, phone, name, role, invited_by, expires_at, sent_at)
     values ($1, $2, 'Ali', 'driver', $3, now() + interval '1 day', now() - interval '1 hour') returning id`,
    [vendorId, phone, invitedBy],
  )
  return row?.id ?? 0
}
const adminInvitation: Row[] = [
  {
    name: 'of the first vendor',
    status: 200,
    but: { other_vendor_admin: 404 },
    send: async (shop) => ({ params: { id: await invitationOf(shop, 1) } }),
  },
  {
    name: 'of the second',
    status: 404,
    but: { other_vendor_admin: 200, super_admin: 200 },
    send: async (shop) => ({ params: { id: await invitationOf(shop, 2) } }),
  },
  { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 } }) },
]
/** An invitation to the caller's phone; staff cannot accept it without `leave`. */
const ownInvitation = (status: number, customer: number, body?: unknown): Row[] => [
  {
    name: 'own',
    status,
    but: { customer },
    send: async (shop, { userId }) => {
      const [self] = await shop.query<{ phone: string }>('select phone from users where id = $1', [userId])
      return { params: { id: await invitationOf(shop, 1, self?.phone) }, body }
    },
  },
  { name: 'foreign', status: 404, send: async (shop) => ({ params: { id: await invitationOf(shop, 1) }, body }) },
  { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 }, body }) },
]

export const peopleRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/users': list,
  'POST /api/admin/users': ofVendor((vendorId) => ({
    body: { phone: newPhone(), name: 'Ali', role: 'driver', vendorId },
  })),
  'GET /api/admin/invitations': list,
  'POST /api/admin/invitations/{id}/resend': adminInvitation,
  'DELETE /api/admin/invitations/{id}': adminInvitation,
  'GET /api/auth/invitations': [{ name: 'own', status: 200 }],
  'POST /api/auth/invitations/{id}/accept': ownInvitation(409, 200, {}),
  'POST /api/auth/invitations/{id}/decline': ownInvitation(200, 200),
  'GET /api/admin/users/{id}': person(),
  'PATCH /api/admin/users/{id}': person(() => ({ name: 'Ali' })),
  'PUT /api/admin/users/{id}/role': person((vendorId) => ({ role: 'vendor_staff', vendorId })),
  'DELETE /api/admin/users/{id}/vendor-access': person(),
  'POST /api/admin/impersonate/{userId}': [
    {
      name: 'a customer',
      status: 200,
      send: async (shop) => ({ params: { userId: (await makeUser(shop)).id }, body: { reason: 'to help' } }),
    },
    {
      name: 'a super admin',
      status: 403,
      send: async (shop) => ({
        params: { userId: (await makeUser(shop, { role: 'super_admin' })).id },
        body: { reason: 'to help' },
      }),
    },
    { name: 'nobody', status: 404, send: () => ({ params: { userId: 2_000_000_000 }, body: { reason: 'to help' } }) },
  ],
  'POST /api/admin/impersonate/stop': [{ name: 'oneself already', status: 200 }],
  'GET /api/admin/impersonate/status': [{ name: 'always', status: 200 }],
  'GET /api/admin/customers': list,
  'GET /api/admin/customers.csv': list,
  'GET /api/admin/customers/tags': list,
  'GET /api/admin/customers/{id}': customer(),
  'POST /api/admin/customers/{id}/notes': customer({ body: 'Rings twice' }),
  'DELETE /api/admin/customers/{id}/notes/{noteId}': [
    { name: 'of the first vendor', status: 200, but: { other_vendor_admin: 404 }, send: noteOf(1) },
    { name: 'of the second', status: 404, but: { other_vendor_admin: 200, super_admin: 200 }, send: noteOf(2) },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000, noteId: 2_000_000_000 } }) },
  ],
  'PUT /api/admin/customers/{id}/tags': customer({ tags: ['office'] }),
  'GET /api/admin/audit': list,
  'GET /api/admin/audit.csv': list,
}
